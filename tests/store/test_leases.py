"""A lease is renewed until it is given back or lost."""

import threading

from redis.exceptions import RedisError

from service.store.leases import Renewal
from tests.support.serving import PATIENCE


def test_a_lease_is_renewed_again_after_a_renewal_that_failed() -> None:
    calls, done = iter([RedisError("gone for a moment"), True, True]), threading.Event()

    def renew() -> bool:
        try:
            call = next(calls)
        except StopIteration:
            done.set()
            return True
        if isinstance(call, RedisError):
            raise call
        return bool(call)

    with Renewal(0.03, renew) as renewal:
        assert done.wait(PATIENCE)
        assert not renewal.is_lost


def test_a_lease_that_is_lost_is_left_alone() -> None:
    renewals: list[int] = []
    lost = threading.Event()

    def renew() -> bool:
        renewals.append(1)
        lost.set()
        return False

    with Renewal(0.03, renew) as renewal:
        assert lost.wait(PATIENCE)
        while not renewal.is_lost:
            threading.Event().wait(0.001)
        threading.Event().wait(0.1)  # in which it would be renewed ten times
    assert len(renewals) == 1
