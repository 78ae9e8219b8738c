"""Clients that were written for the last release go on with the contract of today."""

from pathlib import Path

from service.contract.changes.__main__ import load
from service.contract.changes.operations import compare
from tests.support.contract import document

RELEASED = Path(__file__).with_name("released.yaml")


def test_nothing_breaks_that_was_released() -> None:
    broken = [str(change) for change in compare(load(RELEASED), document()) if change.breaking]
    assert broken == [], "see `make contract-changes` and the policy in the contract's description"
