"""The board and the moves in lines, to be read aloud or by a script."""

from collections.abc import Sequence

from engine.board import EVENT_MINUTES, EXTERIOR_ROOMS, HATCHES, ITEM_MINUTES
from engine.enums import ROOMS
from service.terminal.menu import Entry
from service.terminal.panels import hand, place
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

_ICONS_AHEAD = 3


def lines(state: Wire, speech: Speech, texts: Catalogue) -> list[str]:
    """Describe the board."""
    rooms = [_room(state, speech, texts, room) for room in range(1, ROOMS)]
    outside = _gnomes_in(state, speech, "sea")
    threats = [f"{speech.room('sea')}: {outside}."] if outside else []
    tracks = ", ".join(f"{speech.track(track)} {value}" for track, value in state["tracks"].items())
    threats += [texts("plain_tracks", tracks=tracks)]
    for token, minute in sorted(state["destruction"].items(), key=lambda each: -each[1]):
        threats.append(texts("plain_token", token=speech.token(token), minute=minute))
    threats.append(_ahead(state, texts))
    return [*rooms, *threats, *(_gnome(state, speech, texts, seat) for seat in range(len(state["gnomes"])))]


def _room(state: Wire, speech: Speech, texts: Catalogue, room: int) -> str:
    now = state["rooms"][str(room)]
    facts = [texts("fire") if now["fire"] else speech.water(now["water"]).lower()]
    open_to = [_other(hatch, room) for hatch in HATCHES if room in hatch and not _is_blocked(state, hatch)]
    blocked = [_other(hatch, room) for hatch in HATCHES if room in hatch and _is_blocked(state, hatch)]
    if open_to:
        facts.append(texts("plain_hatches", rooms=", ".join(map(str, open_to))))
    if blocked:
        facts.append(texts("plain_blocked", rooms=", ".join(map(str, blocked))))
    if room in EXTERIOR_ROOMS:
        facts.append(texts("plain_outside"))
    gnomes = _gnomes_in(state, speech, room)
    title = speech.room(room)
    named = title if str(room) in title else f"{room} {title}"
    return f"{named}: {'; '.join([*facts, *([gnomes] if gnomes else [])])}."


def _other(hatch: tuple[int, int], room: int) -> int:
    return hatch[0] if hatch[1] == room else hatch[1]


def _is_blocked(state: Wire, hatch: tuple[int, int]) -> bool:
    return f"{hatch[0]}-{hatch[1]}" in state["blocked_hatches"]


def _gnomes_in(state: Wire, speech: Speech, room: int | str) -> str:
    here = [
        seat
        for seat, gnome in enumerate(state["gnomes"])
        if gnome["room"] == room and gnome["state"] in ("alive", "fainted")
    ]
    return speech.gnomes(here)


def _ahead(state: Wire, texts: Catalogue) -> str:
    def ahead(icons: Sequence[int]) -> str:
        return ", ".join(str(minute) for minute in icons if minute < state["ghost"]) or texts("none")

    events = [minute for minute in EVENT_MINUTES if minute < state["ghost"]][:_ICONS_AHEAD]
    items = [minute for minute in ITEM_MINUTES if minute < state["ghost"]][:_ICONS_AHEAD]
    return texts("plain_ghost", minute=state["ghost"], events=ahead(events), items=ahead(items))


def _gnome(state: Wire, speech: Speech, texts: Catalogue, seat: int) -> str:
    gnome = state["gnomes"][seat]
    who = speech.full_gnome(seat)
    if gnome["state"] in ("dead", "abandoned"):
        return f"{who}: {speech.condition(gnome['state'])}."
    described = texts(
        "plain_gnome",
        gnome=who,
        minutes=speech.minutes(gnome["minutes"]),
        place=place(gnome["room"], texts),
        intoxication=gnome["intoxication"],
        hand=hand(gnome, speech),
    )
    return f"{described}{', ' + speech.condition('fainted') if gnome['state'] == 'fainted' else ''}."


def moves(offered: Sequence[Entry], speech: Speech, phase: str) -> list[str]:
    """List the moves that may be chosen."""
    return [f"{entry.number}. {speech.priced(entry.move, phase)}" for entry in offered]
