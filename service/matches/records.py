"""Store a match: the fields of its hash in Redis. `matches.lua` reads and writes the same names."""

from collections.abc import Mapping, Sequence

import msgspec

from service.matches.model import Absence, GameFailure, Mark, Match, MatchStatus, Outside, Run, SeriesProgress
from service.matches.plan import Plan

_outside = msgspec.json.Decoder(Outside)
_absences = msgspec.json.Decoder(dict[str, Absence])


def encode_new(match: Match) -> dict[str, str | bytes]:
    """Return the fields of a match that was just created. From then on the script changes them one by one."""
    fields = {
        "keep": match.keep_seconds,
        "games": match.plan.games,
        "series": len(match.series),
        "played": match.played,
        "version": match.version,
        "created": encode_time(match.created_at),
        "changed": encode_time(match.changed_at),
        "ran": 0,
        "state": match.status.value,
        **{f"next:{number}": each.taken for number, each in enumerate(match.series)},
    }
    texts = {name: str(value) for name, value in fields.items()}
    return {**texts, **_hosted(match), "plan": msgspec.json.encode(match.plan), "holder": match.holder}


def _hosted(match: Match) -> dict[str, str | bytes]:
    """Return what is stored of a match whose games are tables. All of its numbers count as taken, so that no worker of
    a release that knows no tables takes any."""
    if match.outside is None:
        return {}
    taken = {f"next:{number}": str(match.plan.games) for number in range(len(match.series))}
    outside = msgspec.json.encode(match.outside)
    return {**taken, "outside": outside, "line_ups": str(len(match.plan.line_ups)), "tabled": "0", "tables": ""}


def encode_time(moment: float) -> str:
    return f"{moment:.3f}"


def decode(match_id: str, reply: Sequence[bytes], epoch: str) -> Match | None:
    """Read the fields and values, by turns, that HGETALL replied with. None when there is no such match."""
    if not reply:
        return None
    fields = dict(zip(reply[::2], reply[1::2], strict=True))
    status = MatchStatus(fields[b"state"].decode())
    failure = fields.get(b"error")
    return Match(
        id=match_id,
        epoch=epoch,
        plan=Plan.from_stored(fields[b"plan"]),
        holder=fields[b"holder"].decode(),
        revoked=tuple(fields.get(b"revoked", b"").decode().split()),
        keep_seconds=int(fields[b"keep"]),
        created_at=float(fields[b"created"]),
        changed_at=float(fields[b"changed"]),
        version=int(fields[b"version"]),
        status=status,
        started_at=_time(fields, b"started"),
        ended_at=_time(fields, b"ended"),
        ran_seconds=float(fields[b"ran"]),
        run=_run(fields) if status == MatchStatus.RUNNING else None,
        played=int(fields[b"played"]),
        series=tuple(_series(fields, b"%d" % number) for number in range(int(fields[b"series"]))),
        failure=None if failure is None else msgspec.json.decode(failure, type=GameFailure),
        outside=_outside.decode(fields[b"outside"]) if b"outside" in fields else None,
        tables=tuple(fields.get(b"tables", b"").decode().split()),
        absences=_absences.decode(fields[b"absences"]) if b"absences" in fields else {},
    )


def resumed(fields: Mapping[str, str], now: float) -> dict[str, str]:
    """Return the fields of a match that was running, and is running again from now on. It ran until its last change."""
    ran = float(fields["ran"]) + max(0.0, float(fields["changed"]) - float(fields["since"]))
    at, played = encode_time(now), fields["played"]
    marks = {"since": at, "mark": at, "mark_before": at, "marked": played, "marked_before": played}
    return {**fields, **marks, "ran": f"{ran:.3f}"}


def _time(fields: Mapping[bytes, bytes], name: bytes) -> float | None:
    stored = fields.get(name)
    return None if stored is None else float(stored)


def _run(fields: Mapping[bytes, bytes]) -> Run:
    latest = Mark(float(fields[b"mark"]), int(fields[b"marked"]))
    before = Mark(float(fields[b"mark_before"]), int(fields[b"marked_before"]))
    return Run(float(fields[b"since"]), latest, before)


def _series(fields: Mapping[bytes, bytes], number: bytes) -> SeriesProgress:
    settled, pace = fields.get(b"stop:" + number), fields.get(b"pace:" + number)
    return SeriesProgress(
        taken=int(fields[b"next:" + number]),
        played=int(fields.get(b"played:" + number, 0)),
        settled_after=None if settled is None else int(settled),
        seconds_per_number=None if pace is None else float(pace),
    )
