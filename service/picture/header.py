"""Draw the top line: which game and version, and whose decision is due or how it ended."""

from service.picture import layout, pictograms
from service.picture.colours import Palette
from service.picture.gnomes import disc
from service.picture.svg import at, box, clean, fitted, group, path, text
from service.wire import Wire
from service.words import Words

_BANNER_WIDE, _BANNER_HIGH = 560, 50


def header(state: Wire, names: list[str], p: Palette, words: Words) -> str:
    title = clean(state.get("name") or "Red November")
    space = layout.WIDE - _BANNER_WIDE - 3 * layout.MARGIN
    shown, size = fitted(title, 25, space, 15, bold=True)
    facts, small = fitted(facts_line(state, words), 15, space, 12)
    return (
        text(layout.MARGIN + 2, 33, shown, size, p.ink, bold=True)
        + text(layout.MARGIN + 2, 55, facts, small, p.faint)
        + at(layout.WIDE - layout.MARGIN - _BANNER_WIDE, 9, _banner(state, names, p, words))
    )


def facts_line(state: Wire, words: Words) -> str:
    facts = [words.text("version", version=state["version"]), words.text("turn", turn=state["turn"])]
    if state.get("sandbox"):
        facts.append(words.text("sandbox"))
    return " · ".join(facts)


def _banner(state: Wire, names: list[str], p: Palette, words: Words) -> str:
    if state["result"]:
        return _ending(state["result"], p, words)
    if state["decision"]:
        return _due(state["decision"], names, p, words)
    shown, size = fitted(words.name("status", state.get("status", "waiting")), 18, _BANNER_WIDE - 40)
    inner = _frame(p.panel, p.panel_line) + text(_BANNER_WIDE / 2, 32, shown, size, p.ink, "middle", bold=True)
    return group(inner, banner="status")


def _frame(fill: str, line: str) -> str:
    return box(0, 0, _BANNER_WIDE, _BANNER_HIGH, fill, line, 12)


def _ending(result: Wire, p: Palette, words: Words) -> str:
    rescued = result["crew"] == "rescued"
    fill, ink = (p.good, p.on_good) if rescued else (p.danger, p.on_danger)
    badge = pictograms.lifebuoy(p) if rescued else skull(ink, fill)
    word = words.text("rescued" if rescued else "lost")
    cause, size = fitted(words.name("cause", result["cause"]), 15, _BANNER_WIDE - 80)
    inner = _frame(fill, p.line) + at(32, 25, badge, 1.6)
    inner += text(62, 23, word, 20, ink, bold=True) + text(62, 42, cause, size, ink)
    return group(inner, banner="result", crew=result["crew"], cause=result["cause"])


def skull(ink: str, holes: str) -> str:
    eyes = "M-6 -1a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0ZM1 -1a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z"
    return path("M-9 -1A9 9 0 1 1 9 -1Q9 4 5 5V10H-5V5Q-9 4 -9 -1Z", ink) + path(f"{eyes}M-2 6V10M2 6V10", holes, holes)


def _due(decision: Wire, names: list[str], p: Palette, words: Words) -> str:
    seat = decision["seat"]
    who = words.text("decides", who=names[seat] or words.text("gnome", seat=seat))
    what = words.name("phase", decision["kind"])
    deadline = decision.get("deadline")
    if deadline:
        what += " · " + words.text("until", time=clean(deadline)[11:19])
    name, size = fitted(who, 18, _BANNER_WIDE - 80, bold=True)
    kind, small = fitted(what, 15, _BANNER_WIDE - 80)
    inner = _frame(p.notice, p.line) + at(32, 25, disc(seat, 17, 20, p.line))
    inner += text(62, 22, name, size, p.on_notice, bold=True) + text(62, 41, kind, small, p.on_notice)
    return group(inner, banner="decision", decider=seat, kind=decision["kind"])
