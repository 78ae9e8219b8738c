"""What the terminal draws, says and keeps, piece by piece."""

import hashlib
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from rich.text import Text

from engine import Game, Rules
from engine.rules import CHALLENGES
from red_november_client.blocking import Client
from red_november_client.streams import FOUND, LOST
from service.terminal.board import WIDTH, board
from service.terminal.canvas import Canvas
from service.terminal.ending import check_dice
from service.terminal.followed_game import FollowedGame
from service.terminal.menu import Entry, entries, find, menu
from service.terminal.panels import WIDE, frame
from service.terminal.plain import lines
from service.terminal.saved import SavedGame, SavedGames
from service.terminal.screen import Screen, is_plain
from service.terminal.speech import Speech
from service.terminal.texts import TEXTS, harmless, language
from service.words import LANGUAGES, UnknownLanguage

Wire = dict[str, Any]
NOBODY = Client("http://127.0.0.1:1", patience=0)
HOSTILE = "[red]x[/red]\x1b[2J\x1b]0;t\x07\u202egnp\x00\n\u2067\x9b31m"


def told(game: Game, name: str = "Ada") -> Wire:
    """Return a state as the service shows it to the player of seat 0."""
    seats = [{"seat": seat, "kind": "bot", "bot": "bosun", "player_id": None, "away": False} for seat in range(8)]
    seats[0] |= {"kind": "player", "bot": None, "player_id": "p1"}
    view = cast(Wire, game.view(0))
    view["decision"] = view["decision"] and view["decision"] | {"deadline": None}
    return view | {
        "id": "k7wq2m9xtr4bz6dp", "name": "", "status": "playing", "epoch": "e", "version": 1, "seq": 0,
        "seats": seats[: game.rules.gnomes], "players": [{"id": "p1", "name": name, "seats": [0]}],
        "you": {"host": False, "player_id": "p1", "seats": [0]},
    }  # fmt: skip


def states() -> Iterator[Wire]:
    """Return states of whole random games, of all sizes and kinds."""
    for number in range(12):
        chance = random.Random(number)
        rules = Rules(
            gnomes=3 + number % 6,
            crazed_gnomes=number % 2 == 1,
            less_deadly_dying=number % 3 == 1,
            greater_challenge=CHALLENGES[number % len(CHALLENGES)],
        )
        game = Game.new(rules, seed=bytes([number]) * 32)
        while game.result is None:
            if chance.random() < 0.03:
                yield told(game, name="Wolfeschlegelsteinhausenbergerdorff" if number % 2 else "エイダ")
            game.play(chance.choice(game.legal_moves()))
        yield told(game)


@pytest.fixture(scope="module")
def many() -> list[Wire]:
    return list(states())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_ever_wider_than_the_terminal(many: list[Wire], lang: str) -> None:
    speech, texts = Speech(lang), TEXTS[lang]
    for state in many:
        speech.see(state)
        for width in (WIDTH, WIDE, 170):
            drawn = [*frame(state, speech, texts, width, 20), *menu(entries(state, speech), speech, texts, width)]
            assert [line.plain for line in drawn if line.cell_len > width] == []
        assert len(board(state, texts, 1)) == 9, "with four gnomes and their moves it fits into 24 lines"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_titles_of_rooms_are_whole(lang: str) -> None:
    state = told(Game.new(Rules(), seed=bytes(32)))
    drawn = "\n".join(line.plain for line in board(state, TEXTS[lang], 2))
    for room in (1, 2, 4, 7, 8, 10):
        assert f"{room} {TEXTS[lang](f'room_{room}')}" in drawn
    assert TEXTS[lang]("legend") in drawn


def test_the_board_shows_what_the_state_says() -> None:
    position = {
        "rules": {"gnomes": 3},
        "gnomes": [{"room": 5, "items": {"grog": 2}}, {"room": "sea", "state": "fainted"}, {"state": "dead"}],
        "rooms": {"2": {"water": "high"}, "4": {"fire": True}, "8": {"water": "low"}},
        "blocked_hatches": ["3-4", "7-8"],
        "active": 0,
        "destruction": {"crushed": 25},
    }
    state = told(Game.from_position(position))
    speech, texts = Speech("en"), TEXTS["en"]
    speech.see(state)
    drawn = [line.plain for line in frame(state, speech, texts, WIDTH, 30)]
    text = "\n".join(drawn)
    for words in ("≈≈ high ≈≈", "^^ fire ^^", "~~ low ~~", "Grog ×2", "P Crushed! 25′", "Dead"):
        assert words in text
    assert "2z" in drawn[0], "somebody swims"
    assert text.count("╳") == 1 + 1 + 5, "in the legend, across, and in a shaft through a row of three lines"
    spoken = "\n".join(lines(state, speech, texts))
    for words in (
        "4 Reactor Room: fire; hatches to 2, 5; blocked to 3.",
        "2 Oxygen Pumps: high water; hatches to 1, 3, 4, 5.",
        "Room 5: dry; hatches to 2, 4, 6, 7, 8; Ada (gnome 1).",
        "Sea: Gnome 2.",
        "Crushed! at minute 25.",
        "Gnome 3: Dead.",
    ):
        assert words in spoken


def test_walls_join() -> None:
    canvas = Canvas(7, 5)
    canvas.box(0, 0, 3, 2)
    canvas.box(3, 0, 6, 2)
    canvas.box(0, 2, 6, 4)
    assert [line.plain for line in canvas.lines()] == ["╭──┬──╮", "│  │  │", "├──┴──┤", "│     │", "╰─────╯"]


def offered(*moves: Wire) -> list[Entry]:
    speech = Speech("en")
    return [Entry(number, move, speech.move(move)) for number, move in enumerate(moves, 1)]


MOVES = offered(
    {"type": "open_hatch", "to": 1},
    {"type": "open_hatch", "to": 3},
    {"type": "use_item", "item": "engine_manual"},
    {"type": "fix_engine", "minutes": 1, "cost": 3, "chance": 0.1},
    {"type": "fix_engine", "minutes": 10, "cost": 12, "chance": 1.0},
    {"type": "unblock_hatch", "hatch": "1-3", "minutes": 1, "cost": 1, "chance": 0.1},
)


MANY = offered(*({"type": "fix_reactor", "minutes": n, "cost": n, "chance": n / 10} for n in range(1, 11)))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("open 3", [2]), ("OPEN", [1, 2]), ("o h t r 3", [2]), ("open_hatch 1", [1]), ("open engine", [1]),
        ("fix the engine 1", [4]), ("fix 10", [5]), ("fix", [4, 5]), ("engine manual", [3]), ("use", [3]),
        ("unblock 1 3", [6]), ("engine", [1, 3, 4, 5]), ("xyz", []), ("", []), ("!", []), ("open 33", []),
    ],
)  # fmt: skip
def test_what_is_typed_begins_a_moves_name(typed: str, meant: list[int]) -> None:
    assert [entry.number for entry in find(typed, MOVES)] == meant


def test_a_menu_is_grouped_with_its_price() -> None:
    drawn = [line.plain for line in menu(MOVES, Speech("en"), TEXTS["en"], WIDTH)]
    assert drawn[0].startswith("Ways      1 Open the hatch to the Engine Room  2 Open the hatch to room 3")
    assert drawn[1].startswith("Items     3 Use an engine manual")
    assert drawn[2].startswith("Actions   Fix the engine:  4 1+2′ 10\u00a0%  5 10+2′ 100\u00a0%")


def test_a_short_menu_tells_less_of_what_is_alike() -> None:
    long = menu(MANY, Speech("en"), TEXTS["en"], WIDTH)
    (short,) = menu(MANY, Speech("en"), TEXTS["en"], WIDTH, rows=1)
    assert len(long) == 2
    assert short.plain == "Actions   Fix the reactor:  1 1′ 10\u00a0%  …  10 10′ 100\u00a0%"


def test_help_fits_into_a_line_and_everything_is_translated() -> None:
    for language_, texts in TEXTS.items():
        for key, text in texts.items():
            if key.startswith("help_"):
                assert len(text) <= WIDTH, f"{language_}: {key} is longer than a line"
            if language_ != "en" and " " in text and key not in ("thinking", "advice_only"):
                assert text != TEXTS["en"][key], f"{language_}: {key} is not translated"


@pytest.mark.parametrize(
    ("surroundings", "expected"),
    [
        ({"LC_ALL": "de_DE.UTF-8", "LANG": "ru_RU"}, "de"), ({"LANG": "ru_RU.UTF-8"}, "ru"), ({"LANG": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"), ({}, "en"), ({"LC_ALL": "", "LANG": "de_AT@euro"}, "de"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_the_surroundings(surroundings: dict[str, str], expected: str) -> None:
    assert language(None, surroundings) == expected
    assert language("ru", surroundings) == "ru"
    with pytest.raises(UnknownLanguage):
        language("tlh", surroundings)


class Shown(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_no_text_is_obeyed_by_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert harmless(HOSTILE) == "[red]x[/red][2J]0;tgnp 31m"
    state = told(Game.new(Rules(), seed=bytes(32)), name=HOSTILE)
    shown = Shown()
    screen, speech, texts = Screen(False, shown), Speech("en"), TEXTS["en"]
    known = FollowedGame(NOBODY, "x", speech, texts, state)
    joined = {"type": "player_joined", "seq": 1, "player_id": "p1", "name": HOSTILE, "seats": [0]}
    strange = {"type": f"later{HOSTILE}", "seq": 2}
    gone = {"type": "connection_refused", "code": "", "detail": HOSTILE}
    for line in known.take(joined) + known.take(strange) + known.take(gone):
        screen.say(line.text, style=line.style)
    screen.show(frame(state, speech, texts, WIDTH, 24))
    screen.show([Text(HOSTILE)])
    screen.say(HOSTILE, *lines(state, speech, texts))
    screen.prompt(HOSTILE)
    written = shown.getvalue()
    assert written.count("[red]x[/red]") >= 7, "markup is told as it is"
    for bad in ("\x1b[2J", "\x1b]", "\x07", "\u202e", "\x00", "\u2067", "\x9b"):
        assert bad not in written


def test_who_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Shown())
    assert not is_plain(False, Shown(), {"TERM": "xterm"})
    assert is_plain(True, Shown(), {"TERM": "xterm"})
    assert not is_plain(False, Shown(), {"TERM": "xterm", "NO_COLOR": "1"})
    assert is_plain(False, Shown(), {"TERM": "dumb"})
    assert is_plain(False, io.StringIO(), {"TERM": "xterm"})


def test_without_colours_the_board_is_drawn_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = Shown()
    screen = Screen(False, shown)
    state = told(Game.new(Rules(), seed=bytes(32)))
    screen.show(frame(state, Speech("en"), TEXTS["en"], WIDTH, 24))
    assert "║" in shown.getvalue()
    assert not re.search(r"\x1b\[(3|4|9|10)\d", shown.getvalue())


def test_a_terminal_without_unicode_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown()
    shown.encoding = "ascii"
    screen = Screen(True, shown)
    screen.show(board(told(Game.new(Rules(), seed=bytes(32))), TEXTS["en"], 2))
    assert [each for each in shown.getvalue() if not each.isascii()] == []
    assert "+-2 Oxygen" in shown.getvalue()


def test_saved_games_are_private_and_in_order(tmp_path: Path) -> None:
    games = SavedGames(tmp_path / "state")
    one, other = SavedGame("http://a", "one", "t1"), SavedGame("http://b", "two", "t2", host="h")
    for game in (one, other, one):
        games.keep(game)
    assert games.all() == [other, one], "the latest comes last, each of them once"
    assert (tmp_path / "state" / "games.json").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    games.forget(one)
    assert games.all() == [other]
    (tmp_path / "state" / "games.json").write_text("{broken")
    assert games.all() == []
    games.keep(one)
    assert games.all() == [one]


def test_a_store_that_lost_something_is_told() -> None:
    state = told(Game.new(Rules(), seed=bytes(32)))
    known = FollowedGame(NOBODY, "x", Speech("en"), TEXTS["en"], state | {"version": 9, "seq": 20}, seq=20)
    assert known.take({"type": "state", "seq": 20, "state": state | {"version": 9, "seq": 20}}) == []
    (line,) = known.take({"type": "state", "seq": 12, "state": state | {"version": 5, "seq": 12, "epoch": "f"}})
    assert "lost the latest moves" in line.text
    assert (known.state["version"], known.seq) == (5, 12)
    assert [known.take({"type": kind})[0].text for kind in (LOST, FOUND)] == [
        "The connection is lost; trying again …",
        "The connection is back.",
    ]


def test_an_event_is_told_once() -> None:
    known = FollowedGame(NOBODY, "x", Speech("en"), TEXTS["en"], told(Game.new(Rules(), seed=bytes(32))))
    event = {"type": "gnome_woke", "seq": 1, "seat": 0}
    assert [line.text for line in known.take(event)] == ["Ada (gnome 1) wakes up with a sore head."]
    assert known.take(event) == []
    assert known.take({"type": "minutes_spent", "seq": 2, "seat": 0, "minutes": 3, "ghost": 40}) == []
    assert known.seq == 2


def replay() -> Wire:
    seed, salt = bytes(range(32)), bytes(16)
    game, moves = Game.new(Rules(gnomes=3), seed), []
    while game.result is None:
        moves.append(game.legal_moves()[-1])
        game.play(moves[-1])
    return {
        "rules": game.rules.to_dict(), "seed": seed.hex(), "salt": salt.hex(),
        "hash": hashlib.sha256(salt + seed).hexdigest(), "moves": moves, "result": game.result, "sandbox": False,
    }  # fmt: skip


def test_dice_are_checked_against_what_was_promised() -> None:
    fair, texts = replay(), TEXTS["en"]
    assert "The dice are verified" in check_dice(fair, fair["hash"], texts)
    assert "The dice are verified" in check_dice(fair, None, texts), "whoever only watched was promised nothing"
    assert "sandbox" in check_dice(fair | {"sandbox": True}, fair["hash"], texts)
    assert "NOT be verified: the promise" in check_dice(fair, "0" * 64, texts)
    assert "NOT be verified" in check_dice(fair | {"salt": "11" * 16}, fair["hash"], texts)
    assert "NOT be verified" in check_dice(fair | {"moves": fair["moves"][:-1]}, fair["hash"], texts)
    old = fair | {"rules_version": 1}
    assert "The dice are verified" in check_dice(old, fair["hash"], texts), "today's rules come to the same"
    assert "begun under version 1" in check_dice(old | {"moves": fair["moves"][:-1]}, fair["hash"], texts)
