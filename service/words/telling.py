"""Pick texts of a catalogue and fill them in."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.cards import FACES
from engine.enums import ROOMS, Room
from service.words.de import DE, DE_ORIGINAL
from service.words.en import EN, EN_ORIGINAL
from service.words.people import isolated
from service.words.ru import RU, RU_ORIGINAL
from service.words.texts import Counted, Forms, Names, Texts
from service.words.variants import OUTSIDE, event_of, faint_number, variant_of

Wire = Mapping[str, Any]
SeatNames = Sequence[str | None]  # by seat; None, empty or left out: the gnome has but his number

CATALOGUES: dict[str, Texts] = {"en": EN, "de": DE, "ru": RU}
_OF_THE_ORIGINAL = {"en": EN_ORIGINAL, "de": DE_ORIGINAL, "ru": RU_ORIGINAL}

_DAY, _HOUR, _MINUTE = 86400, 3600, 60
_UNITS = ((2 * _DAY, _DAY, "days"), (2 * _HOUR, _HOUR, "hours"), (2 * _MINUTE, _MINUTE, "minutes"))
_DASH = "–"
_NAMELESS = set(range(1, ROOMS)) - set(Room)


@cache
def _texts(language: str, edition: str) -> Texts:
    return (_OF_THE_ORIGINAL if edition == "original" else CATALOGUES)[language]


@cache
def _names(language: str, edition: str) -> dict[str, dict[str, str]]:
    """Return all names by kind and id: those of the catalogue, and those that follow from them."""
    texts = _texts(language, edition)
    names = {kind: dict(by_id) for kind, by_id in texts.names.items()}
    for kind, words in (("room", texts.rooms), ("item", texts.items), ("track", texts.tracks)):
        names[kind] = {id_: forms.title for id_, forms in words.items()}
    names["room_name"] = {room.name.lower(): names["room"][str(int(room))] for room in Room}
    names["move"] |= names["action"]
    names["die"] |= names["action"]
    names["card"] = {
        face.name: texts.phrases(
            "card", event=names["event"][event_of(face.name)], faint=faint_number(face.name) or _DASH
        )
        for face in FACES
    }
    return names


class Words:
    """The words of one language, in plain text. For the original edition some things have other names.

    `names` are those of the players by seat, as they gave them: they are cleaned here. Seats count from 1 for readers.
    """

    def __init__(self, language: str, edition: str = "revised"):
        self.language = language
        self.texts = _texts(language, edition)
        self.names: Names = _names(language, edition)

    def __eq__(self, other: object) -> bool:
        """Tell words apart by language and edition only, so that what is made with them can be cached."""
        return isinstance(other, Words) and self.texts is other.texts

    def __hash__(self) -> int:
        return hash((self.language, id(self.texts)))

    def name(self, kind: str, name: object) -> str:
        """Return what something is called, by kind and id on the wire: `name("item", "grog")`, `name("room", 5)`."""
        return self.names[kind][str(name)]

    def room(self, room: int | str) -> str:
        """Return a room's own name, or the sea's; nothing for a room that has only a number (see `name("room", 5)`)."""
        return "" if room in _NAMELESS else self.name("room", room)

    def text(self, key: str, **values: object) -> str:
        """Return a label of a picture, or a sentence that describes one."""
        if key == "gnome":
            return self.gnome(int(str(values["seat"])))
        if key == "bot":
            values["name"] = self.bot(str(values["name"]))
        return self.texts.labels(key, **values)

    def bot(self, bot: str) -> str:
        """Return what a bot is called. One of somebody else's is called as it is at its seat."""
        return self.names["bot"].get(bot, bot)

    def item(self, item: str) -> str:
        return self.name("item", item)

    def card(self, card: str) -> str:
        """Return the name of an event card, with its faint number."""
        return self.name("card", card)

    def gnome(self, seat: int, names: SeatNames = ()) -> str:
        """Return `Gnome 2`, or `Ada (gnome 2)`."""
        name = isolated(names[seat] or "") if seat < len(names) else ""
        return self.texts.phrases("named_gnome" if name else "gnome", name=name, number=seat + 1)

    def gnomes(self, seats: Sequence[int], names: SeatNames = ()) -> str:
        return ", ".join(self.gnome(seat, names) for seat in seats)

    def items(self, hand: Mapping[str, int]) -> str:
        """Describe a hand, or whatever else counts items by name."""
        named = [self.copies(item, count) for item, count in hand.items() if count]
        return ", ".join(named) or self.texts.phrases["no_items"]

    def hidden(self, count: int) -> str:
        """Describe a hand of which only the number of items is known."""
        return self.count(count, "hidden")

    def copies(self, item: str, count: int) -> str:
        """Return `Grog`, or `2 × Grog`."""
        forms = self.texts.items[item]
        return forms.title if count == 1 else self.texts.phrases("copies", count=count, item=forms)

    def count(self, number: int, noun: str) -> str:
        """Return a number and its noun: `count(2, "minutes")`; the nouns are those of the catalogue."""
        return format(Counted(number, self.texts), noun)

    def minutes(self, number: int) -> str:
        return self.count(number, "minutes")

    def duration(self, seconds: int) -> str:
        """Return a time in whole seconds, minutes, hours or days: at least two of all but seconds."""
        for at_least, length, noun in _UNITS:
            if seconds >= at_least:
                return self.count(seconds // length, noun)
        return self.count(seconds, "seconds")

    def percent(self, chance: float) -> str:
        return self.texts.phrases("percent", percent=round(chance * 100))

    def sentence(self, event: Wire, names: SeatNames = ()) -> str:
        """Return one sentence for an event of any type. It leaves out what the event leaves out as a secret."""
        fields = self._fields(event, names)
        type_ = event["type"]
        variant = f"{type_}/{variant_of(event)}"
        return self.texts.sentences(variant if variant in self.texts.sentences else type_, **fields)

    def move(self, move: Wire, names: SeatNames = (), phase: str | None = None) -> str:
        """Return a short label for a move, with cost and chance if it has them. The phase says what `done` means."""
        type_ = move["type"]
        variant = phase if type_ == "done" else move.get("item")
        key = f"{type_}/{variant}" if f"{type_}/{variant}" in self.texts.moves else type_
        label = self.texts.moves(key, **self._fields(move, names))
        return ", ".join([label, *self._price(move)])

    def _price(self, move: Wire) -> list[str]:
        """Return what minutes of work cost: those that decide, and what water adds, as 4 + 2 minutes."""
        work = move.get("minutes", 0)
        cost = move.get("cost", work)
        price = []
        if 0 < work < cost:
            extra = Counted(cost - work, self.texts)
            price.append(self.texts.phrases("extra_minutes", minutes=work, extra=extra))
        elif cost:
            price.append(self.minutes(cost))
        if "chance" in move:
            price.append(self.percent(move["chance"]))
        return price

    def signal(self, signal: Wire, names: SeatNames = ()) -> str:
        """Return what a seat shows the others: a plan, something that it points at, a word; or nothing any more."""
        seat, phrases = self.gnome(signal["seat"], names), self.texts.phrases
        sentences = []
        if signal["moves"]:
            moves = "; ".join(self.move(move, names) for move in signal["moves"])
            sentences.append(phrases("shows_plan", seat=seat, moves=moves))
        if target := signal["points_at"]:
            sentences.append(phrases("points_at", seat=seat, target=self._target(target, names)))
        if signal["says"]:
            sentences.append(phrases("says", seat=seat, words=self.name("says", signal["says"])))
        return " ".join(sentences) or phrases("shows_nothing", seat=seat)

    def _target(self, target: Wire, names: SeatNames) -> str:
        """Return what somebody points at."""
        type_ = target["type"]
        if type_ == "gnome":
            return self.gnome(target["seat"], names)
        if type_ == "hatch":
            return self.texts.phrases("hatch", hatch=target["hatch"].replace("-", _DASH))
        return self.name(type_, target[type_])

    def decision(self, kind: str, seat: int, names: SeatNames = ()) -> str:
        """Return who must decide, and what, by the fields of a state's `decision`."""
        return self.texts.decisions(kind, seat=self.gnome(seat, names))

    def result(self, result: Wire, names: SeatNames = ()) -> str:
        """Return how the game ended, and who had abandoned the others: their fortune is the opposite of the crew's."""
        sentences = [self.texts.sentences[f"game_over/{result['cause']}"]]
        outcome, phrase = ("lost", "deserters_lose") if result["crew"] == "rescued" else ("won", "deserters_win")
        deserters = [seat for seat, of_seat in enumerate(result["seats"]) if of_seat == outcome]
        if deserters:
            sentences.append(self.texts.phrases(phrase, gnomes=self.gnomes(deserters, names)))
        return " ".join(sentences)

    def _fields(self, facts: Wire, names: SeatNames) -> dict[str, object]:
        """Return the fields of an event or a move, as templates take them."""
        type_ = facts["type"]
        fields: dict[str, object] = {}
        for field, value in facts.items():
            show = _SHOWN.get(f"{type_}/{field}") or _SHOWN.get(field)
            if show is not None:
                fields[field] = show(self, value, names)
        if type_ in _MORE:
            fields |= _MORE[type_](self, facts, names)
        return fields


# How a field is shown; `type/field` where a type has its own way.
_Show = Callable[[Words, Any, SeatNames], object]


def _gnome(words: Words, seat: int | None, names: SeatNames) -> str:
    """Return a gnome; nobody for an event that is about any seat."""
    return "" if seat is None else words.gnome(seat, names)


def _room(words: Words, room: int | str, _: SeatNames) -> Forms:
    return words.texts.rooms[str(room or OUTSIDE)]


def _item(words: Words, item: str, _: SeatNames) -> Forms:
    return words.texts.items[item]


def _number(words: Words, number: int, _: SeatNames) -> Counted:
    return Counted(number, words.texts)


def _named(kind: str) -> _Show:
    return lambda words, id_, _: words.name(kind, id_)


_SHOWN: dict[str, _Show] = {
    "seat": _gnome,
    "target": _gnome,
    "attacker": _gnome,
    "with": _gnome,
    "item_given/from": _gnome,
    "item_given/to": _gnome,
    "room": _room,
    "from": _room,
    "to": _room,
    "track_reset/from": _number,
    "track_reset/to": _number,
    "item": _item,
    "hatch": lambda words, hatch, names: hatch.replace("-", _DASH),
    "move": lambda words, move, names: words.move(move, names),
    "track": lambda words, track, names: words.texts.tracks[track],
    "token": _named("token"),
    "action": _named("action"),
    "event": _named("event"),
    "bot": lambda words, bot, names: words.bot(bot) if bot else "",
    "name": lambda words, name, names: isolated(name) or words.texts.phrases["somebody"],
    **dict.fromkeys(
        ("minutes", "ghost", "minute", "turn", "value", "needed", "intoxication", "events", "cards"), _number
    ),
}


# What some types tell besides their fields.
_More = Callable[[Words, Wire, SeatNames], dict[str, object]]


def _of_card(words: Words, event: Wire, _: SeatNames) -> dict[str, object]:
    card = event["card"]
    return {"event": words.name("event", event_of(card)), "faint": faint_number(card) or _DASH}


def _of_item(words: Words, event: Wire, _: SeatNames) -> dict[str, object]:
    """Return words for an item that the event keeps secret."""
    return {} if "item" in event else {"item": words.texts.phrases["something"]}


def _of_items(words: Words, event: Wire, _: SeatNames) -> dict[str, object]:
    return {"item": words.copies(event["item"], event["count"])} if event["count"] > 1 else {}


def _of_die(words: Words, event: Wire, names: SeatNames) -> dict[str, object]:
    """Return the room that a die shows, by its number."""
    return {"room": _room(words, event["value"], names)} if "value" in event else {}


_MORE: dict[str, _More] = {
    "card_removed": _of_card,
    "die_rolled": _of_die,
    "event_drawn": _of_card,
    "faint_checked": _of_card,
    "game_started": lambda words, event, names: {"crew": Counted(len(event["seats"]), words.texts)},
    "item_drawn": _of_item,
    "item_given": _of_item,
    "items_discarded": _of_items,
    "player_joined": lambda words, event, names: {"gnomes": words.gnomes(event["seats"])},
    "player_left": lambda words, event, names: {"gnomes": words.gnomes(event["seats"], names)},
    "time_is_short": lambda words, event, names: {"left": words.duration(event["seconds"])},
}
