"""What is true in the end, compared with what players were told: every table, move by move."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import cast

import redis

from engine import GameError
from engine.verify import verify
from service.queue.queueing import QUEUES
from tests.drills.players import Crew, Game
from tests.support.serving import Wire

# Whatever else is in Redis goes by itself, or is emptied by workers. What RQ notes about a job whose worker was killed
# is in a list of its own (`wip`), which workers clean up when the job should have ended. Callers have a line each
# (`soon`, `later`) while something of theirs waits.
LASTING = re.compile(
    r"metrics|bots|due|workers|workers:busy|clock:offset|reports|sweeper|matches"
    r"|games:(waiting|playing|finished)|alive:(waiting|playing|finished)"
    r"|(turns|advice):([a-z]+|(soon|later):(probe|[0-9a-f]+))|rq:(workers|queues|(queue|workers|wip|failed):[a-z]+)"
)


@dataclass
class Findings:
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)  # told otherwise before, or broken
    rolled_back: int = 0  # acknowledged by a master that was lost with them, and told by a new epoch
    replayed: int = 0  # whole games, played again from their seeds
    repeated: int = 0  # answers that were asked for again
    compared: int = 0  # events
    lasting: list[str] = field(default_factory=list)  # keys that never go


def examine(crew: Crew, game: Game, found: Findings, may_roll_back: bool = False) -> None:
    events = history(crew, game)
    if events is None:
        _gone(game, found, may_roll_back)
        return
    if [event["seq"] for event in events] != [*range(1, len(events) + 1)]:
        found.differing.append(f"{game.path}: its history has gaps")
    versions = [event["version"] for event in events]
    if versions != sorted(versions):
        found.differing.append(f"{game.path}: its versions go back")
    by_hand = [event for event in events if event["type"] == "choice" and not event["automatic"]]
    twice = [version for version, times in Counter(event["version"] for event in by_hand).items() if times > 1]
    found.doubled += [f"{game.path}: two moves made version {version}" for version in twice]
    made = [(event["version"], event["move"]) for event in by_hand if event["seat"] in game.players]
    epoch = crew.insist("GET", game.path, game.host).body["epoch"]
    _compare_moves(game, made, events, epoch, found, may_roll_back)
    _compare_events(game, events, found, may_roll_back)
    if not may_roll_back:
        _repeat(crew, game, found)
    _replay(crew, game, events, found)


def _gone(game: Game, found: Findings, may_roll_back: bool) -> None:
    if may_roll_back:
        found.rolled_back += len(game.accepted)
    else:
        found.lost.append(f"{game.path}: the whole game")


def history(crew: Crew, game: Game) -> list[Wire] | None:
    events: list[Wire] = []
    while True:
        page = crew.insist("GET", f"{game.path}/events?limit=1000&after={len(events)}", game.host)
        if page.status == 404:
            return None
        events += page.body["events"]
        if not page.body["more"]:
            return events


def _compare_moves(
    game: Game, made: list[tuple[int, Wire]], events: list[Wire], epoch: str, found: Findings, may_roll_back: bool
) -> None:
    told = [(each.version, each.move) for each in game.accepted]
    for number, each in enumerate(game.accepted):
        if (each.version, each.move) in made:
            continue
        if may_roll_back and each.epoch != epoch:
            found.rolled_back += 1
            found.lost += _came_later(game, number, events)
        else:
            found.lost.append(f"{game.path}: version {each.version}, {each.move}")
    possible = [*told, *game.doubtful]
    for version, move in made:
        if (version, move) not in possible:
            there = [event for event in events if event["version"] == version]
            found.doubled.append(f"{game.path}: nobody sent {move}, which made version {version}: {there}")
    if not may_roll_back and [each for each in made if each in told] != told:
        found.differing.append(f"{game.path}: the moves stand in another order")


def _came_later(game: Game, number: int, events: list[Wire]) -> list[str]:
    """What the same master acknowledged after a move that went with it can't be there without it. A move that was made
    again since has other times in its events."""
    lost = game.accepted[number]
    rest = [each for each in game.accepted[number + 1 :] if each.epoch == lost.epoch and each.version > lost.version]
    there = [each for each in rest if all(event in events for event in each.events)]
    return [
        f"{game.path}: version {lost.version} is gone, and {each.version} after it is there: {lost} {each}"
        f" {[event for event in events if lost.version <= event['version'] <= each.version]}"
        for each in there
    ]


def _compare_events(game: Game, events: list[Wire], found: Findings, may_roll_back: bool) -> None:
    """What was told with the answer to a move is what is told ever after."""
    for each in game.accepted:
        for event in each.events:
            now = events[event["seq"] - 1] if event["seq"] <= len(events) else None
            found.compared += 1
            if now != event and not may_roll_back:
                found.differing.append(f"{game.path}: told {event}, now {now}")


def _repeat(crew: Crew, game: Game, found: Findings) -> None:
    for each in game.repeats:
        again = crew.insist("POST", f"{game.path}/moves", each.token, each.sent, each.key)
        found.repeated += 1
        if (again.status, again.body) != (200, each.told) or again.headers.get("idempotency-replayed") != "true":
            found.differing.append(f"{game.path}: {each.key!r} was answered {each.told}, now {again.body}")


def _replay(crew: Crew, game: Game, events: list[Wire], found: Findings) -> None:
    if not any(event["type"] == "game_over" for event in events) and not game.over:
        return
    told = crew.insist("GET", f"{game.path}/replay", game.host)
    if told.status != 200:
        return
    try:
        verify(told.body)
    except GameError as error:
        found.differing.append(f"{game.path}: its replay is not true: {error}")
    moves = [event["move"] for event in events if event["type"] == "choice" and not event["automatic"]]
    if moves != told.body["moves"]:
        found.differing.append(f"{game.path}: its replay has other moves than its history")
    found.replayed += 1


def examine_keys(store: "redis.Redis", found: Findings) -> int:
    """Returns how many there are."""
    keys = [key.decode() for key in store.scan_iter(count=1000)]
    pipeline = store.pipeline(transaction=False)
    for key in keys:
        pipeline.pttl(key)
    lasting = [key for key, left in zip(keys, pipeline.execute(), strict=True) if left == -1]
    jobs = (job.decode() for queue in QUEUES for job in cast(list[bytes], store.zrange(f"rq:wip:{queue}", 0, -1)))
    at_work = {f"rq:job:{job.partition(':')[0]}" for job in jobs}
    found.lasting += [key for key in lasting if not LASTING.fullmatch(key) and key not in at_work]
    return len(keys)
