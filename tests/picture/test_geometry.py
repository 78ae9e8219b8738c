"""The places that are told are those that are drawn, in the contract's shape."""

import re

import pytest

from engine import Game, Rules
from service.picture import draw
from service.picture.geometry import layouts
from tests.support.contract import check
from tests.support.desk import Desk


@pytest.fixture
def board(redis_url: str) -> dict[str, object]:
    reply = Desk(redis_url).api.get("/v1/board")
    check("get", "/v1/board", reply)
    return dict(reply.body["layouts"][0])


@pytest.fixture(scope="module")
def picture() -> str:
    return draw({**Game.new(Rules(), bytes(32)).view()}, theme="light")


def test_every_room_hatch_and_minute_has_a_place(board: dict[str, object]) -> None:
    (wide,) = layouts()
    assert board == wide
    assert [room["room"] for room in wide["rooms"]] == ["sea", *range(1, 11)]
    assert [space["minute"] for space in wide["time_track"]] == [*range(61)]
    assert (len(wide["hatches"]), [hatch["hatch"] for hatch in wide["exterior_hatches"]]) == (
        15, ["3-sea", "6-sea", "9-sea"],
    )  # fmt: skip


def test_rooms_hatches_and_hull_are_drawn_where_they_are_told(picture: str) -> None:
    (wide,) = layouts()
    for room in wide["rooms"][1:]:
        assert f'd="{room["outline"]}"' in picture, room["room"]
    assert f'd="{wide["hull"]}"' in picture
    for hatch in (*wide["hatches"], *wide["exterior_hatches"]):
        drawn = re.search(rf'data-hatch="{hatch["hatch"]}"[^>]*><g transform="translate\(([\d.]+) ([\d.]+)\)', picture)
        assert drawn, hatch
        assert [float(number) for number in drawn.groups()] == pytest.approx([hatch["x"], hatch["y"]], abs=0.06)


def test_floors_lie_within_their_rooms_and_the_boat_within_the_board() -> None:
    (wide,) = layouts()
    pairs = [(room["floor"], room["rect"]) for room in wide["rooms"]] + [(wide["boat"], wide["board"])]
    pairs += [(space["rect"], wide["board"]) for space in wide["time_track"]]
    for inner, outer in pairs:
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        assert outer["y"] <= inner["y"]
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
