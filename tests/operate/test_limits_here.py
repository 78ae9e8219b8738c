"""Which limits `red-november serve` lifts."""

import pytest

from service.operate.limits_here import NAMES, lifted, told


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_whoever_sits_at_the_machine_has_no_limits(host: str) -> None:
    assert set(lifted(host, {})) == set(NAMES)
    assert told(lifted(host, {})).startswith("none, as only this machine can ask")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.7", "games.example.org"])
def test_limits_hold_where_others_can_ask(host: str) -> None:
    assert lifted(host, {}) == {}
    assert "none" not in told({})


def test_a_limit_that_is_set_holds_and_the_others_do_not() -> None:
    settings = lifted("127.0.0.1", {"LIMIT_MOVE": "5/60", "LIMIT_BAD": ""})
    assert set(NAMES) - set(settings) == {"LIMIT_MOVE"}
    assert told(settings) == "none but LIMIT_MOVE"


def test_limits_hold_behind_a_proxy_that_is_believed() -> None:
    assert lifted("127.0.0.1", {"TRUSTED_PROXIES": "1"}) == {}
    assert lifted("127.0.0.1", {"TRUSTED_PROXIES": "0"})
