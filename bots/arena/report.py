"""Print the results of a series as a table."""

from collections.abc import Iterable
from typing import Any

from bots.arena.league import named_tallies

Wire = dict[str, Any]  # results as JSON, also from a server or a file of another release


def report(results: Wire) -> str:
    """Return the results that `Series.to_dict` gives, as text for a terminal."""
    line_ups = named_tallies(results)
    blocks = [_title(results), _crews(line_ups)]
    if results["pairs"]:
        blocks.append(_comparison(results["pairs"]))
    if results.get("league"):
        blocks.append(_duels(results["league"]["pairs"]))
    blocks += [_causes(line_ups), *(_faults(tally) for tally in line_ups.values() if tally["faults"]["count"])]
    blocks += [_forfeits(tally) for tally in line_ups.values() if tally.get("forfeits", {}).get("count")]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _title(results: Wire) -> str:
    rules = results["rules"]
    words = [f"{rules['gnomes']} gnomes", f"{rules['edition']} edition"]
    if rules["players"] != rules["gnomes"]:
        words.append(f"{rules['players']} players")
    options = ("less_deadly_dying", "crazed_gnomes" if rules["crazed_gnomes"] else "hidden_hands")
    words += [option.replace("_", " ") for option in options if rules.get(option)]  # a file may be of an older release
    if rules["greater_challenge"] != "off":
        words.append(rules["greater_challenge"].replace("_", " "))
    return ", ".join([*words, f"seed {results['seed']}"])


def _crews(line_ups: Wire) -> str:
    rows = [["", "games", "rescued", "95 % interval", "deaths", "turns", "a turn", ""]]
    for name, tally in line_ups.items():
        low, high = tally["interval"]["low"], tally["interval"]["high"]
        rows.append([
            name,
            f"{tally['games']}",
            _percent(tally["rescue_rate"]),
            f"{100 * low:.1f} to {_percent(high)}",
            f"{tally['deaths_per_game']:.2f}",
            f"{tally['turns_per_game']:.1f}",
            ", ".join(_pace(bot, spent) for bot, spent in tally["bots"].items()),
            _named(tally["crew"]),
        ])  # fmt: skip
    return _columns(rows)


def _pace(bot: str, spent: Wire) -> str:
    return f"{bot} {1000 * spent['seconds_per_turn']:.3g} ms"


def _named(crew: list[str]) -> str:
    return f"{crew[0]} × {len(crew)}" if len(set(crew)) == 1 else ", ".join(crew)


def _comparison(pairs: Wire) -> str:
    low, high = pairs["interval"]["low"], pairs["interval"]["high"]
    lines = [
        f"difference {100 * pairs['difference']:+.1f} %, 95 % interval {100 * low:+.1f} to {100 * high:+.1f} %: "
        f"of {pairs['played']} pairs, {pairs['rescued_by_crew_only']} rescued by the crew alone, "
        f"{pairs['rescued_by_against_only']} by the other alone"
    ]
    test = pairs["sprt"]
    if test:
        verdict = test["verdict"].replace("_", " ")
        lines.append(f"test for a margin of {100 * test['margin']:g} %: {verdict} (evidence {test['evidence']:+.2f})")
    return "\n".join(lines)


def _duels(league: list[Wire]) -> str:
    rows = [["", "difference", "95 % interval", "only it", "only the other"]]
    for pairs in league:
        low, high = pairs["interval"]["low"], pairs["interval"]["high"]
        rows.append([
            f"{pairs['crew']} to {pairs['against']}",
            f"{100 * pairs['difference']:+.1f} %",
            f"{100 * low:+.1f} to {100 * high:+.1f} %",
            f"{pairs['rescued_by_crew_only']}",
            f"{pairs['rescued_by_against_only']}",
        ])  # fmt: skip
    return _columns(rows)


def _causes(line_ups: Wire) -> str:
    losses = {name: tally["causes_of_loss"] for name, tally in line_ups.items()}
    causes = sorted({cause for lost in losses.values() for cause in lost}, key=lambda cause: _order(cause, losses))
    if not causes:
        return ""
    rows = [["lost by", *losses]]
    rows += [[cause.replace("_", " "), *(str(lost.get(cause, 0)) for lost in losses.values())] for cause in causes]
    return _columns(rows)


def _order(cause: str, losses: Wire) -> tuple[int, str]:
    """Sort the most frequent causes first."""
    return -sum(lost.get(cause, 0) for lost in losses.values()), cause


def _faults(tally: Wire) -> str:
    lines = [f"{tally['faults']['count']} faults of {_named(tally['crew'])}, answered by others; the first:"]
    for fault in tally["faults"]["first"]:
        lines.append(
            f"  {fault['bot']}: {fault['error']}, answered by {fault['played_by']}; "
            f"seat {fault['seat']}, after {fault['moves_played']} moves, seed {fault['seed']}"
        )
    return "\n".join(lines)


def _forfeits(tally: Wire) -> str:
    forfeits = tally["forfeits"]
    return (
        f"{forfeits['count']} games of {_named(tally['crew'])} are forfeits, counted as lost; "
        f"{_percent(forfeits['rescue_rate_without'])} of the others are rescued"
    )


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _columns(rows: list[list[str]]) -> str:
    """Align a table: the first and the last columns, which hold words, to the left, and figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(_aligned(row, widths)).rstrip() for row in rows)


def _aligned(row: list[str], widths: list[int]) -> Iterable[str]:
    for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.rjust(width) if 0 < number < 6 else cell.ljust(width)
