"""Store games in Redis: read in one round trip, changed by one script. Its keys are named in `keys.py`."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.config import NO_LIMIT, BadConfig, Config, Limit
from service.store import clients, keys, start
from service.store.answers import Answered, Answers, KeyReused, Retry
from service.store.asked import Asked
from service.store.public_games import PublicGames
from service.store.redis_client import ANSWER_SECONDS, OLDEST, OLDEST_FOR_DISK, Client, Command, Meanwhile
from service.store.scripts import Script, evaluated, evaluated_all
from service.wire import Wire

STATUSES = ("waiting", "playing", "finished")
_COMMIT = Script("store/commit.lua")


class Conflict(Exception):
    """Raised when the game has another version than the change was made on."""


class Unconfirmed(Exception):
    """Raised when the change is made, but not yet as safe as the operator wants it to be before it is acknowledged."""


class Gone(Exception):
    """Raised when the game was deleted or has expired in the meantime."""


class TooMany(Exception):
    """Raised when the creator has as many games as one may have at a time."""


@dataclass
class Change:
    """What a commit writes."""

    game_id: str
    based_on: bytes | None  # the commit that made what was changed; None for a new game
    version: int
    fields: Wire
    events: Sequence[bytes]
    status: str
    public: bool
    moved: bool  # into that status, just now
    due: float | None  # when a worker should look after it
    at: float
    creator: str = ""  # hashed; "" for nobody's
    joined: bool = True  # by a player, or a bot that plays; nobody waits long for a game that nobody joins
    is_limited: bool = False  # a new game, of which its creator may have only so many
    asked: Asked | None = None  # of an outside bot before, and no more
    asks: Asked | None = None  # of an outside bot now, and not before
    outside: Sequence[str] = ()  # the accounts of outside bots at its seats, where that may be news
    answer: bytes = b""  # to be stored for when the request is repeated
    id: bytes = field(default_factory=lambda: secrets.token_bytes(8))  # by which one that is sent again is known


class Store:
    def __init__(self, client: Client, config: Config, queues: Sequence[Client] = ()):
        """`queues` are where jobs wait; the store's own Redis, if there are none."""
        self.redis, self.names = client, client.names
        self.queues = tuple(queues) or (client,)
        self.public_games = PublicGames(client)
        self.answers = Answers(client, config.answer_seconds)
        self._config = config
        self._waiting = _waiting(config)

    @classmethod
    def connect(cls, config: Config, patience: float = ANSWER_SECONDS) -> "Store":
        """Return a store. `patience` is how many seconds Redis may take, besides the time that it is asked to wait.

        Raises BadConfig for addresses that do not go together, and ValueError for one that is none.
        """
        waits = config.wait_ms / 1000 if config.wait_replicas or config.wait_disk else 0.0
        start.check_addresses(config)
        try:
            queues = [Client.connect(url, patience) for url in config.queue_urls]
        except ValueError:
            told = "an address can't be read: special characters of a password are written as %XX"
            raise BadConfig(f"QUEUE_URL: {told}") from None
        return cls(clients.connect(config.redis_url, patience + waits), config, queues)

    @property
    def queue(self) -> Client:
        """Return the Redis of the queue that this worker serves."""
        return self.queues[self._config.queue]

    def queue_of(self, id_: str) -> Client:
        """Return the Redis in whose queue a game or match waits."""
        return self.queues[self.names.partitions.of(id_) % len(self.queues)]

    def served(self, share: int = 0, shares: int = 1) -> list[int]:
        """Return the partitions whose games wait in this worker's queue; with `shares`, one of so many equal parts."""
        return list(self.names.partitions.all[self._config.queue :: len(self.queues)][share::shares])

    def commit(self, change: Change, retry: Retry | None = None, meanwhile: Meanwhile = None) -> None:
        """Commit a change of a game. `meanwhile` is called while Redis works, once at the most.

        Raises Conflict, Gone, TooMany, Answered or KeyReused, and then has changed nothing; or Unconfirmed.
        """
        reply = self.run(_COMMIT, *self._writing(change, retry), meanwhile)
        _check_done(reply)

    def commit_all(self, changes: Sequence[Change]) -> list[bool]:
        """Commit changes of different games in one round trip; return which of them were made, as nothing came between.

        Raises Unconfirmed, when all are.
        """
        if not changes:
            return []
        written = [self._writing(change, None) for change in changes]
        # On a cluster each change is waited for on the connection that it was written on.
        waits = self._waiting if not self.redis.is_one_slot else []
        last = self._waiting if self.redis.is_one_slot else []
        replies = evaluated_all(self.redis, _COMMIT, written, waits, last)
        step = 1 + len(waits)
        made = [reply[0] == b"done" for reply in replies[: step * len(changes) : step]]
        waited = [reply for place, reply in enumerate(replies) if place % step or place >= step * len(made)]
        self._check_confirmed(waited)
        return made

    def _writing(self, change: Change, retry: Retry | None) -> tuple[list[str], list[Any]]:
        """Return keys and arguments of the script. Raises TooMany."""
        fields = ["commit", change.id, *(part for name, value in change.fields.items() for part in (name, value))]
        most = self._games_left(change) if change.is_limited and change.creator else 0
        placed = ("in" if change.public else "out") if change.moved else "as before"
        names = self.names
        game, partition = names.game(change.game_id), names.partitions.of(change.game_id)
        return (
            [
                game,
                names.events(change.game_id),
                self.answers.key(retry) if retry else game,
                names.due(partition),
                names.counters(partition),
                names.games_of(partition, change.creator) if change.creator else game,
                *self._indexes(partition),
                names.asked(partition, change.asked.account) if change.asked else game,
                names.asked(partition, change.asks.account) if change.asks else game,
                *(names.games_with(partition, account) for account in change.outside),
            ],
            [
                change.based_on or "",
                change.version,
                retry.fingerprint if retry else "",
                change.answer,
                self._config.answer_seconds,
                self._seconds_to_keep(change),
                change.game_id,
                1 + STATUSES.index(change.status),
                placed,
                int(change.at * 1e6),
                "" if change.due is None else change.due,
                int(change.at),
                most or "",
                self.keep_seconds,
                change.asked.id if change.asked else "",
                change.asks.id if change.asks else "",
                change.asks.since(change.at).written() if change.asks else "",
                len(fields),
                *fields,
                *change.events,
            ],
        )

    def _games_left(self, change: Change) -> int:
        """Return how many games that are not over the creator may have in the partition of a new one; 0 for any number.

        Raises TooMany.
        """
        most, here = self._config.games_per_caller, self.names.partitions.of(change.game_id)
        elsewhere = [each for each in self.names.partitions.all if each != here] if most else []
        now = int(change.at)
        lists = (self.names.games_of(each, change.creator) for each in elsewhere)
        left = most - sum(self.redis.ask(*(("ZCOUNT", name, now, "+inf") for name in lists)))
        if most and left <= 0:
            raise TooMany
        return left

    def _seconds_to_keep(self, change: Change) -> int:
        if change.status == "finished":
            return self._config.finished_seconds
        return self._config.idle_seconds if change.joined else self._config.waiting_seconds

    def run(
        self,
        script: Script,
        names: Sequence[str],
        args: Sequence[Any],
        meanwhile: Meanwhile = None,
    ) -> Any:
        """Run a script, and return its reply when its changes are as safe as they must be. Raises Unconfirmed."""
        reply, *waited = evaluated(self.redis, script, names, args, self._waiting, meanwhile)
        self._check_confirmed(waited)
        return reply

    def confirm(self, retry: Retry) -> None:
        """Wait until the change that was answered before is safe. Raises Unconfirmed."""
        if self._waiting:  # which looks at what the same connection wrote last
            _, *waited = self.redis.ask(self.answers.keeping(retry), *self._waiting)
            self._check_confirmed(waited)

    def _check_confirmed(self, waited: Sequence[Any]) -> None:
        for reply in waited:
            on_disk, replicas = reply if self._config.wait_disk else (0, reply)
            if on_disk < self._config.wait_disk or replicas < self._config.wait_replicas:
                raise Unconfirmed

    def require(self) -> None:
        """Require a Redis that can serve us, and note in one that is new how games are laid out there.

        Raises RedisError or BadConfig.
        """
        self.check()
        start.note_partitions(self.redis)

    def check(self) -> None:
        """Check that Redis answers, is new enough, fits the settings, and lets us wait if we must; write nothing.

        Raises RedisError or BadConfig.
        """
        self.check_games()
        for queue in self.queues:
            if queue is not self.redis:
                with start.believing("QUEUE_URL"):
                    queue.require()
                start.check_queue(queue)
        self.redis.ask(*self._waiting)

    def check_games(self) -> None:
        """Check likewise, wherever jobs wait. Raises RedisError or BadConfig."""
        with start.believing("REDIS_URL"):
            self.redis.require(OLDEST_FOR_DISK if self._config.wait_disk else OLDEST)
        start.check(self.redis, self._config)

    @property
    def most_behind(self) -> int:
        """Return how many seconds workers may be behind; 0 for any number."""
        return self._config.max_queue_seconds

    @property
    def keep_seconds(self) -> int:
        """Return how many seconds what belongs to a game is kept at the most."""
        return max(self._config.idle_seconds, self._config.finished_seconds, self._config.waiting_seconds)

    @property
    def work_limit(self) -> Limit:
        """Return how many milliseconds of work one caller may cause in a window; 0 for any number."""
        return self._config.limits.get("work", NO_LIMIT)

    @property
    def games_per_caller(self) -> int:
        """Return how many games a caller may have that are not over; 0 for any number."""
        return self._config.games_per_caller

    def events(self, game_id: str, after: int, most: int) -> list[bytes]:
        found: Any = self.redis.lrange(self.names.events(game_id), after, after + most - 1)
        return list(found)

    def delete(self, game_id: str, creator: str = "", asked: Asked | None = None, outside: Sequence[str] = ()) -> None:
        """Delete a game, by commands that a full store takes, too: a transaction it would refuse. `asked` is the
        decision that an outside bot must make in it, `outside` the accounts of all at its seats."""
        names, partition = self.names, self.names.partitions.of(game_id)
        lists = [names.due(partition), *self._indexes(partition)]
        lists += [names.games_of(partition, creator)] if creator else []
        lists += [names.games_with(partition, account) for account in outside]
        self.redis.ask(
            ("DEL", *names.all_of_game(game_id)),
            *(("ZREM", name, game_id) for name in lists),
            *((("HDEL", names.asked(partition, asked.account), asked.id),) if asked else ()),
            *((self.telling(names.asked(partition, asked.account), keys.DELETED),) if asked else ()),
            self.telling(names.topic(game_id), keys.DELETED),
        )

    def telling(self, topic: str, word: Any) -> Command:
        """Return the command that tells whoever waits for news of something."""
        return (self.names.publish, keys.channel(topic), word)

    def _indexes(self, partition: int) -> Iterator[str]:
        """Yield the two lists of each status, in the order of the commit script."""
        for status in STATUSES:
            yield self.names.public_games(partition, status)
            yield self.names.living_games(partition, status)


def _check_done(reply: Sequence[Any]) -> None:
    """Check what the script of a commit has answered."""
    word = reply[0]
    if word == b"seen":
        raise Answered(reply[1])
    if word == b"reused":
        raise KeyReused
    if word == b"gone":
        raise Gone
    if word == b"many":
        raise TooMany
    if word == b"conflict":
        raise Conflict


def _waiting(config: Config) -> list[Command]:
    """Return the commands that make Redis wait until a change is safe: sent after it, on the same connection."""
    if config.wait_disk:
        return [("WAITAOF", 1, config.wait_replicas, config.wait_ms)]
    if config.wait_replicas:
        return [("WAIT", config.wait_replicas, config.wait_ms)]
    return []
