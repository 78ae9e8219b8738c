"""Note when players were last heard of.

The times are approximate: a player who polls all the time is seldom written down, and nobody is while the store takes
no writes.

Being there is no change of the game: it makes no version, and wakes nobody who waits for one. That is why the ETags of
states are weak.
"""

from service import clock
from service.store.store import Store

NOTE_SECONDS = 30.0
_NOTE = """
local seen, rights = unpack(redis.call("HMGET", KEYS[1], "seen", "rights"))
if seen and string.find(rights, '"' .. ARGV[1] .. '"', 1, true) then -- they may have left meanwhile
  seen = cjson.decode(seen)
  seen[ARGV[1]] = tonumber(ARGV[2])
  redis.call("HSET", KEYS[1], "seen", cjson.encode(seen))
end
"""


def note(store: Store, game_id: str, player: str | None, seen: dict[str, float]) -> None:
    """Note that a player was heard of now. `seen` is what is stored already, by player."""
    now = clock.now()
    if player is not None and now - seen.get(player, 0.0) > NOTE_SECONDS:
        seen[player] = now
        store.redis.ask(("EVAL", _NOTE, 1, store.names.game(game_id), player, f"{now:.3f}"), optional=1)
