"""Describe the whole situation in words, for those who can't see the picture."""

from collections.abc import Iterator

from engine.enums import TRACK_END
from service.picture.people import called, moving_order, open_hatch
from service.picture.svg import clean, isolated
from service.wire import Wire
from service.words import Words


def title(state: Wire, words: Words) -> str:
    name = isolated(clean(state["name"])) if state.get("name") else words.text("version", version=state["version"])
    return words.text("picture", name=name)


def describe(state: Wire, names: list[str], words: Words) -> str:
    return " ".join(_sentences(state, names, words))


def _sentences(state: Wire, names: list[str], words: Words) -> Iterator[str]:
    yield f"{words.text('version', version=state['version'])}. {words.text('turn', turn=state['turn'])}."
    yield from _decision(state, names, words)
    yield from _rooms(state, words)
    blocked = ", ".join(state["blocked_hatches"])
    yield words.text("desc_blocked", hatches=blocked) if blocked else words.text("desc_no_blocked")
    hatch = open_hatch(state)
    if hatch:
        yield words.text("desc_open", hatch=hatch)
    for track, value in state["tracks"].items():
        yield words.text("desc_track", track=words.name("track", track), value=value, end=TRACK_END)
    for token, minute in state["destruction"].items():
        yield words.text("desc_token", token=words.name("token", token), minute=minute)
    if not state["destruction"]:
        yield words.text("desc_no_tokens")
    if state["result"] is None:
        yield words.text("desc_ghost", minute=state["ghost"])
    yield from _keepers(state, words)
    for seat, gnome in enumerate(state["gnomes"]):
        yield _gnome(called(seat, names[seat], words), gnome, words)
    yield words.text("desc_stash", count=state["captains_grog"])


def _decision(state: Wire, names: list[str], words: Words) -> Iterator[str]:
    result, decision = state["result"], state["decision"]
    if result:
        word = words.text("rescued" if result["crew"] == "rescued" else "lost")
        yield words.text("desc_over", result=word, cause=words.name("cause", result["cause"]))
    elif decision:
        who = called(decision["seat"], names[decision["seat"]], words)
        yield words.text("desc_decision", who=who, kind=words.name("phase", decision["kind"]))


def place(room: int | str, words: Words) -> str:
    if room == "sea":
        return words.text("sea")
    name = words.room(int(room))
    return words.text("room_named", room=room, name=name) if name else words.text("room", room=room)


def _rooms(state: Wire, words: Words) -> Iterator[str]:
    calm = True
    for number, room in state["rooms"].items():
        what = [words.text("on_fire")] if room["fire"] else []
        what += [words.name("water", room["water"])] if room["water"] != "none" else []
        if what:
            calm = False
            yield words.text("desc_room", room=place(int(number), words), what=", ".join(what))
    if calm:
        yield words.text("desc_calm")


def _keepers(state: Wire, words: Words) -> Iterator[str]:
    """Describe the Time Keepers by space, and on one space from the top down: in the order in which they move."""
    spaces: dict[int, list[str]] = {}
    for seat in moving_order(state["gnomes"]):
        spaces.setdefault(state["gnomes"][seat]["minutes"], []).append(words.text("gnome", seat=seat))
    if spaces:
        order = [words.text("desc_keeper", minute=minute, seats=", ".join(seats)) for minute, seats in spaces.items()]
        yield words.text("desc_order", order="; ".join(order))


def _gnome(who: str, gnome: Wire, words: Words) -> str:
    state = words.name("condition", gnome["state"])
    if gnome["state"] not in ("alive", "fainted"):
        return words.text("desc_gone", who=who, state=state)
    return words.text(
        "desc_gnome",
        who=who,
        state=state,
        place=place(gnome["room"], words),
        minutes=gnome["minutes"],
        intoxication=gnome["intoxication"],
        items=_items(gnome, words),
    )


def _items(gnome: Wire, words: Words) -> str:
    items: dict[str, int] | None = gnome["items"]
    if items is None:
        return str(gnome["hand"])
    named = [words.name("item", item) + (f" × {count}" if count > 1 else "") for item, count in items.items()]
    return ", ".join(named) or words.text("none")
