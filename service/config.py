"""Read what operators set, all of it by environment variables. `deploy/README.md` has the table."""

import re
from dataclasses import dataclass, field

from environs import Env, EnvError
from marshmallow.validate import OneOf, Range

BUCKETS = {
    "create": "60/60",
    "join": "120/60",
    "move": "1200/60",
    "poll": "2400/60",
    "advice": "30/60",
    "signal": "60/60",
    "picture": "300/60",
    "match": "10/3600",
    "unknown": "300/60",  # answers to decisions that there are not
    "work": "60000/60",  # milliseconds of a processor instead of requests
}
KEYS, ANYBODY, CLOSED = BOT_ACCOUNTS = ("keys", "anybody", "closed")  # who may register bots
_HOST = re.compile(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


class BadConfig(Exception):
    """Raised for a variable that can't be used, with its name and the reason."""


@dataclass(frozen=True)
class Limit:
    """A limit of requests of a kind in so many seconds, from one caller; 0 means any number."""

    requests: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> "Limit":
        requests, _, seconds = text.partition("/")
        if not (requests.isdecimal() and seconds.isdecimal() and int(seconds) > 0):
            raise ValueError(f"{text!r} is no limit: write requests/seconds, as in 60/60")
        return cls(int(requests), int(seconds))


NO_LIMIT = Limit(0, 1)


@dataclass(frozen=True)
class Config:
    """All settings. The defaults are those of a service on one machine."""

    redis_url: str = "redis://127.0.0.1:6379/0"
    queue_urls: tuple[str, ...] = ()  # of the Redis in which jobs wait, one or several; none: where games are
    queue: int = 0  # which of them a worker serves, from 0
    idle_seconds: int = 14 * 86400  # after the last change, a game that is not over is forgotten
    waiting_seconds: int = 86400  # likewise, a game that nobody has joined
    finished_seconds: int = 30 * 86400
    answer_seconds: int = 86400  # for how long an Idempotency-Key is remembered
    max_body_bytes: int = 64 * 1024
    max_wait_seconds: int = 30
    streams: int = 16  # open at a time, a caller
    games_per_caller: int = 500  # that are not over, at a time; 0: any number
    proxies: int = 0  # in front of us, whose X-Forwarded-For is believed
    limits: dict[str, Limit] = field(
        default_factory=lambda: {name: Limit.parse(text) for name, text in BUCKETS.items()}
    )
    api_keys: dict[str, str] = field(default_factory=dict)  # SHA-256 of a key → its holder; none: anybody may create
    api_key_limit: Limit = Limit(10_000, 86400)  # games a key
    bot_accounts: str = KEYS  # whoever has a key, anybody, or nobody
    wait_replicas: int = 0  # that must have a change before it is acknowledged
    wait_disk: bool = False  # likewise, the disk
    wait_ms: int = 1000  # for that, at the most
    match_games: int = 100_000  # the most that a match may have, of all line-ups and sizes together
    match_replays: int = 10_000  # likewise, where their moves are kept
    match_keep_seconds: int = 30 * 86400  # after its last change, a match is forgotten
    max_queue_seconds: int = 60  # behind which workers may be before new work for them is refused; 0: any
    connections: int = 512  # that a process lets an address have; likewise its streams, and requests that wait
    address_streams: int = 128
    address_waits: int = 128
    bad_limit: Limit = Limit(120, 60)  # refusals of an address, after which none of its bodies is read
    head_seconds: int = 10  # for a request's head to arrive; likewise its body
    body_seconds: int = 10
    send_seconds: int = 20  # for which a client may leave what it was sent unread
    public_hosts: tuple[str, ...] = ()  # names that requests may ask for; none: any
    log_format: str = "json"
    log_requests: str = "errors"

    @property
    def own_queue_url(self) -> str:
        """Return the address of the Redis in whose queue this worker's jobs wait."""
        return self.queue_urls[self.queue] if self.queue_urls else self.redis_url


def from_environment() -> Config:
    """Read the settings. Raises BadConfig with the name of the variable."""
    env = Env()
    positive = Range(min=1)
    try:
        queue_urls = tuple(env.str("QUEUE_URL", "").split())
        last = max(1, len(queue_urls)) - 1
        return Config(
            redis_url=env.str("REDIS_URL", Config.redis_url),
            queue_urls=queue_urls,
            queue=env.int("QUEUE", Config.queue, validate=Range(0, last, error=f"must be 0 to {last}")),
            idle_seconds=env.int("GAME_IDLE_SECONDS", Config.idle_seconds, validate=positive),
            waiting_seconds=env.int("GAME_WAITING_SECONDS", Config.waiting_seconds, validate=positive),
            finished_seconds=env.int("GAME_FINISHED_SECONDS", Config.finished_seconds, validate=positive),
            answer_seconds=env.int("IDEMPOTENCY_SECONDS", Config.answer_seconds, validate=positive),
            max_body_bytes=env.int("MAX_BODY_BYTES", Config.max_body_bytes, validate=positive),
            max_wait_seconds=env.int("MAX_WAIT_SECONDS", Config.max_wait_seconds, validate=positive),
            streams=env.int("STREAMS_PER_CALLER", Config.streams, validate=positive),
            games_per_caller=env.int("GAMES_PER_CALLER", Config.games_per_caller, validate=Range(min=0)),
            proxies=env.int("TRUSTED_PROXIES", Config.proxies, validate=Range(min=0)),
            limits={name: _limit(env, f"LIMIT_{name.upper()}", text) for name, text in BUCKETS.items()},
            api_keys=_api_keys(env),
            api_key_limit=_limit(env, "LIMIT_API_KEY", "10000/86400"),
            bot_accounts=env.str("BOT_ACCOUNTS", Config.bot_accounts, validate=OneOf(BOT_ACCOUNTS)),
            wait_replicas=env.int("WAIT_REPLICAS", Config.wait_replicas, validate=Range(min=0)),
            wait_disk=env.bool("WAIT_DISK", Config.wait_disk),
            wait_ms=env.int("WAIT_MS", Config.wait_ms, validate=positive),
            match_games=env.int("MATCH_GAMES", Config.match_games, validate=positive),
            match_replays=env.int("MATCH_REPLAYS", Config.match_replays, validate=positive),
            match_keep_seconds=env.int("MATCH_KEEP_SECONDS", Config.match_keep_seconds, validate=positive),
            max_queue_seconds=env.int("MAX_QUEUE_SECONDS", Config.max_queue_seconds, validate=Range(min=0)),
            connections=env.int("CONNECTIONS_PER_ADDRESS", Config.connections, validate=positive),
            address_streams=env.int("STREAMS_PER_ADDRESS", Config.address_streams, validate=positive),
            address_waits=env.int("WAITS_PER_ADDRESS", Config.address_waits, validate=positive),
            bad_limit=_limit(env, "LIMIT_BAD", "120/60"),
            head_seconds=env.int("HEAD_SECONDS", Config.head_seconds, validate=positive),
            body_seconds=env.int("BODY_SECONDS", Config.body_seconds, validate=positive),
            send_seconds=env.int("SEND_SECONDS", Config.send_seconds, validate=positive),
            public_hosts=_hosts(env),
            log_format=env.str("LOG_FORMAT", Config.log_format, validate=OneOf(["json", "text"])),
            log_requests=env.str("LOG_REQUESTS", Config.log_requests, validate=OneOf(["all", "errors", "none"])),
        )
    except EnvError as error:
        raise BadConfig(str(error)) from error


def _limit(env: Env, name: str, default: str) -> Limit:
    try:
        return Limit.parse(env.str(name, default))
    except ValueError as error:
        raise BadConfig(f"{name}: {error}") from error


def _hosts(env: Env) -> tuple[str, ...]:
    """Return names without ports; one that begins with a dot stands for all that end with it."""
    hosts: list[str] = env.list("PUBLIC_HOSTS", [])
    names = tuple(name.strip().lower() for name in hosts)
    for name in names:
        if not _HOST.fullmatch(name):
            raise BadConfig(f"PUBLIC_HOSTS: {name!r} is no name of a host, as in games.example.org")
    return names


def _api_keys(env: Env) -> dict[str, str]:
    """Read `studio:<SHA-256 of the key in hex>`, several with commas."""
    keys = {}
    entries: list[str] = env.list("API_KEYS", [])
    for number, entry in enumerate(entries, 1):  # no more of it is told: it may be a key itself, put there by mistake
        holder, _, digest = entry.strip().partition(":")
        if not holder or len(digest) != 64 or set(digest.lower()) - set("0123456789abcdef"):
            raise BadConfig(f"API_KEYS: entry {number} is no holder:sha256")
        keys[digest.lower()] = holder
    return keys
