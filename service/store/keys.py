"""Name everything that Redis stores for us: no other room writes down a key.

On a cluster, what belongs to a game carries the tag of its partition after the first word: `game:{p17}:ID`,
`due:{p17}`, `games:{p17}:STATUS` (see `partitions.py`). Elsewhere there is one partition, and names are as they stand
here.

Key                     Type        What it holds; how long it lives, and why
game:ID                 hash        commit, layout, version, seq, record, about, rights, secret, card, seen, creator,
                                    revoked, client_data (see `games/stored.py`); WAITING_, IDLE_ or FINISHED_SECONDS
                                    after its last change
events:ID               list        the history, an event each, number seq - 1; as long as the game
odds:ID                 hash        the crew's chance by version; as long as any game may live
signals:ID              hash        what each seat shows the others at the moment, by seat; as long as they see it
advice:ID:ADVICE        string      a question and its answer; an hour, in which the turn is long over
answer:KEY              hash        the answer to a request with an Idempotency-Key, and the request's fingerprint;
                                    ANSWER_SECONDS, so long may a client repeat itself
due                     sorted set  ids of games by the time when a worker should look after them; a game leaves with
                                    the change after which it needs nobody
games:STATUS            sorted set  ids of public games by the time they got there; whoever lists removes the dead
alive:STATUS            sorted set  ids of all games by the time they expire; `/metrics` removes those that have
games:of:CREATOR        sorted set  ids of a creator's games that are not over, by the time they expire; as long as any
                                    game may live
limit:KIND:WHO:WINDOW   string      requests in a window of time; a second longer than the window
limit:KIND:WHO:tokens:WINDOW        those of all tokens at an address together; likewise
limit:work:WHO:WINDOW   string      milliseconds of a processor; two windows, since who overdraws one pays in the next
streams:WHO             sorted set  open streams by the time when their leases end; as long as a lease
turns:… advice:…        several     what waits for workers, and who is served next: see `queue/waiting.lua`. They empty
                                    themselves, but for turns:deaths and advice:deaths (an hour) and the counters
turns:probe             hash        when a newcomer's question was asked and answered; for ever, it is one
rq:queue:NAME           list        RQ's jobs; a worker takes each
workers, workers:busy   sorted set  workers by the time they were last heard of; an hour after that they are dropped
sweeper, sweeper:SHARE  string      which worker sweeps; 30 seconds, for releases that know only locks of Redis
behind:SHARE            string      how many games are due in a share of the partitions, and since when; 5 seconds
partitions              string      how many partitions there are, on a cluster; for ever
reports                 list        the bots' last failures; a thousand of them
metrics                 hash        counters; for ever
clock:offset            string      what the time of all is ahead of Redis' own (see `clock.py`); for ever
account:NAME            hash        the account of an outside bot, and what is counted of it; 180 days after it was last
                                    connected. A deleted one keeps its name as long as any game may live
connection:NAME         string      which connection of an outside bot counts, the newest; some seconds after its end
bots                    sorted set  outside bots by the time when they were last connected; whoever lists removes the
                                    dead
asked:NAME              hash        the decisions that an outside bot must make, by their ids: since when, since when it
                                    knows, and how many answers were illegal; as long as any game may live
with:NAME               sorted set  ids of games with an outside bot at a seat, by the time they expire; likewise
matches, match:…                    see `match_keys.py`

A private ACL may name these patterns: see `deploy/users.acl.template`.
"""

import re

from service import clock
from service.store.match_keys import MatchNames
from service.store.partitions import Partitions

COUNTERS = "metrics"
WORKERS, BUSY_WORKERS = "workers", "workers:busy"
REPORTS = "reports"
PARTITIONS = "partitions"
BOTS = "bots"
CLOCK_OFFSET = clock.OFFSET
CHANGED = "changed:"  # what the channels begin with on which new versions are published
DELETED = b"deleted"  # published there instead of a version
SIGNALLED = b"signal"  # likewise, where a seat shows something: no new version
# What a Redis that has served us has, for who finds data in a folder; `claim:` is an earlier release's.
OURS = re.compile(
    rb"(game|events|match|alive|games|answer|limit|rq|odds|advice|claim|account)[s]?:|metrics$|workers$|due$"
)
GAME = "game:"  # what the keys of games begin with, for who scans for them


class Names:
    """The names of what belongs to games and matches. What a whole partition shares takes the partition's number."""

    def __init__(self, partitions: Partitions):
        self.partitions = partitions
        self.match = MatchNames(partitions)
        self._prefixes, self._prefix_of = partitions.prefixes, partitions.prefix_of
        self.publish = "PUBLISH" if partitions.count == 1 else "SPUBLISH"  # the command that tells of news

    def game(self, game_id: str) -> str:
        return f"{GAME}{self._prefix_of(game_id)}{game_id}"

    def events(self, game_id: str) -> str:
        return f"events:{self._prefix_of(game_id)}{game_id}"

    def odds(self, game_id: str) -> str:
        return f"odds:{self._prefix_of(game_id)}{game_id}"

    def signals(self, game_id: str) -> str:
        return f"signals:{self._prefix_of(game_id)}{game_id}"

    def advice(self, game_id: str, advice_id: str) -> str:
        return f"advice:{self._prefix_of(game_id)}{game_id}:{advice_id}"

    def all_of_game(self, game_id: str) -> tuple[str, ...]:
        """Return what is deleted with a game. Advice is left to expire."""
        return self.game(game_id), self.events(game_id), self.odds(game_id), self.signals(game_id)

    def topic(self, game_id: str) -> str:
        """Return what whoever waits for news of a game names; of anything else it is its key."""
        return f"{self._prefix_of(game_id)}{game_id}"

    def due(self, partition: int) -> str:
        return self._shared("due", partition)

    def counters(self, partition: int = 0) -> str:
        return self._shared(COUNTERS, partition)

    def answer(self, partition: int, retry: str) -> str:
        return f"answer:{self._prefixes[partition]}{retry}"

    def public_games(self, partition: int, status: str) -> str:
        return f"games:{self._prefixes[partition]}{status}"

    def living_games(self, partition: int, status: str) -> str:
        return f"alive:{self._prefixes[partition]}{status}"

    def games_of(self, partition: int, creator: str) -> str:
        return f"games:{self._prefixes[partition]}of:{creator}"

    def asked(self, partition: int, bot: str) -> str:
        return f"asked:{self._prefixes[partition]}{bot}"

    def games_with(self, partition: int, bot: str) -> str:
        return f"with:{self._prefixes[partition]}{bot}"

    def requests_with(self, kind: str, token: str, window: int, game_id: str) -> str:
        """Return the counter of a token's requests, beside the game that knows the token."""
        return f"limit:{self._prefix_of(game_id)}{kind}:{token}:{window}"

    def work(self, who: str, window: int) -> str:
        return f"limit:work:{who if self.partitions.count == 1 else f'{{{who}}}'}:{window}"

    def _shared(self, name: str, partition: int) -> str:
        prefix = self._prefixes[partition]
        return f"{name}:{prefix[:-1]}" if prefix else name


def channel(topic: str) -> str:
    """Return where news of something is published."""
    return CHANGED + topic


def requests(kind: str, address: str, window: int) -> str:
    return f"limit:{kind}:{address}:{window}"


def requests_with_tokens(kind: str, address: str, window: int) -> str:
    return f"limit:{kind}:{address}:tokens:{window}"


def sweeper(share: int) -> str:
    """Return the lease on sweeping a share of the partitions; the first one is that of all, where there is one."""
    return f"sweeper:{share}" if share else "sweeper"


def backlog(share: int) -> str:
    """Return what is told of the games that are due in a share of the partitions."""
    return f"behind:{share}"


def streams(who: str) -> str:
    return f"streams:{who}"


def account(name: str) -> str:
    """Return the account of an outside bot."""
    return f"account:{name}"


def connection(name: str) -> str:
    """Return which connection of an outside bot counts."""
    return f"connection:{name}"


def jobs(queue: str) -> str:
    """Return RQ's list of jobs."""
    return f"rq:queue:{queue}"


def queue(name: str, part: str = "") -> str:
    """Return a part of what waits for workers: since, waiting, used, floor, leases, taken, again, deaths, probe …

    Without a part it is what the keys of a queue begin with, for its scripts.
    """
    return f"{name}:{part}"


def line_of(name: str, class_: str, caller: str) -> str:
    """Return what waits of one caller in a class."""
    return f"{name}:{class_}:{caller}"
