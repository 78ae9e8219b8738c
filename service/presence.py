"""Who was heard of when. Approximate, so that a player who polls all the time is seldom written down.

Being there is no change of the game: it makes no version, and wakes nobody who waits for one. That is why the ETags of
states are weak.
"""

from collections.abc import Mapping

from redis.exceptions import RedisError

from service import clock
from service.redis_client import is_full
from service.store import Store

NOTE_SECONDS = 30.0
_NOTE = """
local seen = redis.call("HGET", KEYS[1], "seen")
if seen then
  seen = cjson.decode(seen)
  seen[ARGV[1]] = tonumber(ARGV[2])
  redis.call("HSET", KEYS[1], "seen", cjson.encode(seen))
end
"""


def note(store: Store, game_id: str, player: str | None, seen: Mapping[str, float]) -> None:
    """`seen` is what is written down, by player."""
    now = clock.now()
    if player is not None and now - seen.get(player, 0.0) > NOTE_SECONDS:
        try:
            store.redis.eval(_NOTE, 1, f"game:{game_id}", player, f"{now:.3f}")
        except RedisError as error:
            if not is_full(error):
                raise
