"""The client package's types are those of the contract."""

import typing

from red_november_client import shapes
from service.api.docs import CONTRACT
from service.contract import client_types


def test_the_clients_types_are_fresh() -> None:
    """`make openapi` writes them."""
    assert client_types.TYPES.read_text() == client_types.generate(CONTRACT.read_text())


def test_the_clients_types_can_be_asked_for_while_a_program_runs() -> None:
    kinds = [kind for kind in vars(shapes).values() if isinstance(kind, type)]
    assert len([typing.get_type_hints(kind) for kind in kinds]) > 100
    assert typing.get_type_hints(shapes.Game)["decision"] == shapes.Decision | None
