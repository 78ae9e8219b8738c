"""What is beside the board: disaster tracks, Time Track, crew; and how a screen is put together of all that."""

from rich.cells import cell_len
from rich.text import Text

from engine.board import EVENT_MINUTES, ITEM_MINUTES
from engine.enums import MAX_INTOXICATION, MAX_MINUTES, TRACK_END, TRACK_RESET
from service.terminal.board import ALERT, BOLD, QUIET, SEAT_STYLES, WIDTH, board, fit
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

_TOKENS = {"asphyxiated": "A", "crushed": "P", "missiles_launched": "M", "devoured_by_kraken": "K"}
_GAUGE = 10
_LEVELS = ((TRACK_RESET, "green3"), (8, "dark_orange"), (TRACK_END + 1, "red"))
_NAME = 14
_PLACE = 8
_GAP = 2
_LABEL = 10
_TRACK = _LABEL + MAX_MINUTES + 1 + 2
WIDE = WIDTH + _GAP + _TRACK  # from here on the panels lie beside the board


def frame(state: Wire, speech: Speech, texts: Catalogue, width: int, rows: int) -> list[Text]:
    """Draw the board and the panels, in at most `rows` lines if that can be."""
    if width < WIDE:
        under = [
            gauges(state, speech, width),
            *time_track(state, speech, texts),
            *crew(state, speech, texts, width, False),
        ]
        depth = max(1, min(3, (rows - len(under) - 6) // 3))
        return [*board(state, texts, depth), *under]
    side = width - WIDTH - _GAP
    beside = [
        *tall_gauges(state, speech),
        Text(),
        *time_track(state, speech, texts),
        Text(),
        *crew(state, speech, texts, side, True),
    ]
    depth = max(1, min(4, (rows - 6) // 3, -(-(len(beside) - 6) // 3)))
    return _beside(board(state, texts, depth), beside)


def _beside(left: list[Text], right: list[Text]) -> list[Text]:
    lines = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        if number < len(right):
            line.append(" " * (WIDTH + _GAP - line.cell_len))
            line.append_text(right[number])
        lines.append(line)
    return lines


def _gauge(value: int, width: int) -> Text:
    style = next(style for below, style in _LEVELS if value < below)
    full = round(width * value / TRACK_END)
    text = Text().append("█" * full, style)
    text.append("░" * (width - full), QUIET)
    return text.append(f" {value:>2}", f"bold {style}")


def gauges(state: Wire, speech: Speech, width: int) -> Text:
    """Draw the three tracks in one line."""
    longest = (min(width, WIDTH) - 2 * _GAP) // len(state["tracks"]) - _GAUGE - 4
    line = Text()
    for track, value in state["tracks"].items():
        line.append(" " * _GAP if line else "")
        line.append(f"{fit(speech.track(track), max(longest, _NAME))} ").append_text(_gauge(value, _GAUGE))
    return line


def tall_gauges(state: Wire, speech: Speech) -> list[Text]:
    """Draw the three tracks in a line each."""
    names = {track: speech.track(track) for track in state["tracks"]}
    most = max(map(cell_len, names.values()))
    return [
        Text(names[track] + " " * (most + 1 - cell_len(names[track]))).append_text(_gauge(value, 2 * TRACK_END))
        for track, value in state["tracks"].items()
    ]


def time_track(state: Wire, speech: Speech, texts: Catalogue) -> list[Text]:
    """Draw the minutes from 60 on the left to the rescue on the right: who stands where, and what lies there."""
    top, below = {}, {}
    for minute in EVENT_MINUTES:
        below[minute] = ("!", "dark_orange")
    for minute in ITEM_MINUTES:
        below[minute] = ("+" if minute not in EVENT_MINUTES else "*", "green3")
    for token, minute in state["destruction"].items():
        below[minute] = (_TOKENS[token], ALERT)
    if state["status"] != "finished" and state["ghost"] is not None:
        top[state["ghost"]] = ("G", QUIET)
    standing = [seat for seat, gnome in enumerate(state["gnomes"]) if gnome["state"] in ("alive", "fainted")]
    for seat in sorted(standing, key=lambda seat: state["gnomes"][seat]["stack"]):
        top[state["gnomes"][seat]["minutes"]] = (str(seat + 1), SEAT_STYLES[seat])
    lines = []
    for name, marks in ((texts("minutes_left"), top), ("", below)):
        line = Text(f"{name:<{_LABEL}}")
        for minute in range(MAX_MINUTES, -1, -1):
            line.append(*marks.get(minute, ("·" if marks is below else " ", QUIET)))
        lines.append(line)
    lines[1].append(" 0")
    return [*lines, *tokens(state, speech)]


def tokens(state: Wire, speech: Speech) -> list[Text]:
    """List the tokens that threaten the boat, the nearest first."""
    lines: list[Text] = []
    for token, minute in sorted(state["destruction"].items(), key=lambda each: -each[1]):
        threat = f"{_TOKENS[token]} {speech.token(token)} {minute}′"
        if not lines or lines[-1].cell_len + _GAP + cell_len(threat) > _TRACK:
            lines.append(Text(" " * (_LABEL - _GAP)))
        lines[-1].append(" " * _GAP).append(threat, ALERT)
    return lines


def crew(state: Wire, speech: Speech, texts: Catalogue, width: int, whole: bool) -> list[Text]:
    """Describe each gnome in a line: number, name, minutes, place, intoxication and hand.

    A hand that is too long goes on below it if it is the player's own, or if all are wanted whole.
    """
    lines = []
    for seat, gnome in enumerate(state["gnomes"]):
        is_ours = seat in state["you"]["seats"]
        line = Text().append("▶" if _decides(state, seat) else " ", BOLD)
        line.append(f" {seat + 1} ", SEAT_STYLES[seat])
        name = fit(speech.gnome(seat), _NAME)
        line.append(f" {name}{' ' * (_NAME - cell_len(name))} ", BOLD if is_ours else "")
        lines.append(line)
        if gnome["state"] in ("dead", "abandoned"):
            line.append(speech.condition(gnome["state"]), ALERT)
            continue
        line.append(f"{gnome['minutes']:>2}′ ")
        line.append(f"{fit(place(gnome['room'], texts), _PLACE):<{_PLACE}} ")
        line.append("●" * gnome["intoxication"], "dark_orange")
        line.append("○" * (MAX_INTOXICATION - gnome["intoxication"]) + " ", QUIET)
        if gnome["state"] == "fainted":
            line.append(f"{speech.condition('fainted')} ", ALERT)
        cards = hand(gnome, speech)
        if seat == state["active"] and state["used_items"]:
            cards += f" ({texts('used')}: {cards_of(state['used_items'], speech)})"
        indent = line.cell_len
        first, *rest = _wrapped(cards, width - indent)
        if whole or is_ours:
            line.append(first)
            lines += [Text(" " * indent + more) for more in rest]
        else:
            line.append(fit(cards, width - indent))
    return lines


def _wrapped(cards: str, width: int) -> list[str]:
    """Break a hand into lines, between cards."""
    lines = [""]
    for card in cards.split(", "):
        joined = f"{lines[-1]}, {card}" if lines[-1] else card
        if lines[-1] and cell_len(joined) > width - 1:
            lines[-1] += ","
            lines.append(card)
        else:
            lines[-1] = joined
    return [fit(line, width) for line in lines]


def _decides(state: Wire, seat: int) -> bool:
    return bool(state["decision"]) and state["decision"]["seat"] == seat


def icons_met(triggers: Wire, texts: Catalogue) -> list[str]:
    """Name the icons on the way of some minutes, a kind a line. Kinds that only a later service knows are left out."""
    known = [kind for kind in ("events", "items", "ignored") if triggers.get(kind)]
    return [texts(f"preview_{kind}", minutes=", ".join(map(str, triggers[kind]))) for kind in known]


def place(room: int | str, texts: Catalogue) -> str:
    return texts("sea") if room == "sea" else texts("room", room=room)


def hand(gnome: Wire, speech: Speech) -> str:
    """Write a hand as `crowbar, grog ×2`; of a secret one, how many cards it has."""
    return speech.hidden(gnome["hand"]) if gnome["items"] is None else cards_of(gnome["items"], speech)


def cards_of(items: Wire, speech: Speech) -> str:
    """Write items that are counted by name."""
    if not items:
        return "–"
    return ", ".join(speech.item(item) + (f" ×{count}" if count > 1 else "") for item, count in items.items())
