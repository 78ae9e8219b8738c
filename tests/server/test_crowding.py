"""One address holds all that it can get, and sends what is refused: its neighbours go on."""

from collections.abc import Iterator

import pytest

from tests.drills import junk
from tests.drills.crowding import MANY, attacking, fare, service
from tests.drills.hold import KINDS, Target
from tests.support.serving import Client

pytestmark = pytest.mark.thorough

MORE_THAN_ITS_SHARE = 700
SECONDS = 0.5
LONG = 5.0
EVERY = [*KINDS, *junk.KINDS]


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Client, Target]]:
    with service() as made:
        yield made


@pytest.mark.parametrize("kind", ["half a body", "stream", "gone", "unread", "endless", "made-up tokens"])
def test_neighbours_go_on(served: tuple[Client, Target], kind: str) -> None:
    web, target = served
    with attacking(target, kind, MORE_THAN_ITS_SHARE):
        fared = fare(web, target.game, SECONDS)
    assert fared.answers > 0
    assert fared.refused == 0
    assert fared.signs
    assert fared.operators


@pytest.mark.soak
@pytest.mark.parametrize("kind", EVERY)
def test_neighbours_go_on_beside_ten_thousand_connections(served: tuple[Client, Target], kind: str) -> None:
    """How well is told, and asserted with room for a machine that has other things to do."""
    web, target = served
    idle = fare(web, target.game, LONG)
    with attacking(target, kind, MANY):
        fared = fare(web, target.game, LONG)
    print(f"{kind}: {100 * fared.rate / idle.rate:.0f} % of the rate without it; {fared}")
    assert fared.refused == 0
    assert fared.rate > idle.rate / 5
