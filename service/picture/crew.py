"""Draw a card for each gnome: who plays them, how they are, what they carry."""

from engine.enums import MAX_INTOXICATION
from service.picture import layout, pictograms
from service.picture.colours import BEARD, GROG, Palette
from service.picture.gnomes import disc, standing
from service.picture.people import own_seats
from service.picture.svg import at, box, fitted, group, path, text
from service.wire import Wire
from service.words import Words

_ITEM_PITCH = 25


def cards(state: Wire, names: list[str], p: Palette, words: Words) -> str:
    decision = state["decision"]
    mine = own_seats(state)
    drawn = []
    for seat, (gnome, rect) in enumerate(zip(state["gnomes"], layout.crew(len(names)), strict=True)):
        due = decision is not None and decision["seat"] == seat
        card = _card(seat, gnome, names[seat], due, seat in mine, rect.wide, p, words)
        drawn.append(at(rect.x, rect.y, group(card, seat=seat, state=gnome["state"])))
    return "".join(drawn)


def _card(seat: int, gnome: Wire, name: str, due: bool, mine: bool, wide: float, p: Palette, words: Words) -> str:
    there = gnome["state"] in ("alive", "fainted")
    inset, line = (2, p.notice_line) if due else (1, p.panel_line)
    frame = box(inset, inset, wide - 2 * inset, layout.CARD_HIGH - 2 * inset, p.panel, line, 9, 2 * inset - 1)
    label = name or words.text("gnome", seat=seat)
    if mine:
        label = f"{label} · {words.text('you')}"
    shown, size = fitted(label, 16, wide - 52 - 92, 14, bold=True)
    parts = [frame, _portrait(seat, gnome, there, p), text(48, 22, shown, size, p.ink, bold=True)]
    condition = words.name("condition", gnome["state"])
    if there:
        parts.append(_mugs(gnome["intoxication"], wide - 12, p))
        minutes = words.text("minutes", minutes=gnome["minutes"])
        line = minutes if gnome["state"] == "alive" else f"{minutes} · {condition}"
        shown, size = fitted(line, 14, wide - 60)
        parts.append(text(48, 39, shown, size, p.ink if gnome["state"] == "alive" else p.danger_text))
        parts.append(_hand(gnome, wide - 58, p, words))
    else:
        parts.append(text(48, 43, condition, 15, p.danger_text, bold=True))
    return "".join(parts)


def _portrait(seat: int, gnome: Wire, there: bool, p: Palette) -> str:
    if there:
        return at(25, 62, standing(seat, gnome["state"], gnome["intoxication"], p))
    stone = path("M12 63V26Q12 10 25 10T38 26V63Z", p.hull_light, p.line, 1.5) + path(
        "M25 16V32M19 22H31", "none", p.line, 2.5
    )
    boat = path("M9 42H41L36 56H14ZM25 42V12L38 38H25", p.hull_light, p.line, 1.5)
    return (stone if gnome["state"] == "dead" else boat) + at(25, 49, disc(seat, 9.5, 14, p.line))


def _mugs(level: int, right: float, p: Palette) -> str:
    """Draw how drunk a gnome is: full mugs of four."""
    drawn = ""
    for place in range(MAX_INTOXICATION):
        x = right - (MAX_INTOXICATION - place - 0.5) * 17
        full = place < level
        fill = GROG if full else "none"
        drawn += at(x, 16, path(pictograms.MUG, fill, p.line if full else p.faint, 1.2))
        if full:
            drawn += at(x, 16, path(pictograms.FOAM, BEARD, p.line, 1))
    return group(drawn, intoxication=level)


def _hand(gnome: Wire, space: float, p: Palette, words: Words) -> str:
    """Draw what a gnome holds, with the number of copies; or how many cards they hide."""
    items: dict[str, int] | None = gnome["items"]
    if items is None:
        return text(48, 58, words.text("hidden_items", count=gnome["hand"]), 13, p.faint)
    if not items:
        return text(48, 58, words.text("no_items"), 13, p.faint)
    needed = sum(_ITEM_PITCH + (10 if count > 1 else 0) for count in items.values())
    scale = min(1.0, space / needed)
    drawn, x = "", 59.0
    for name, count in items.items():
        card = box(-11, -11, 22, 22, p.card, p.card_line, 4) + at(0, 0, pictograms.ITEM_SIGNS[name], 0.9)
        drawn += group(at(x, 54, card, scale), item=name, count=count)
        if count > 1:
            drawn += text(x + 12 * scale, 59, str(count), 13, p.ink, bold=True)
            x += 10 * scale
        x += _ITEM_PITCH * scale
    return drawn
