-- The one way a game changes: all of it or nothing.
-- KEYS  1 the game's hash  2 its events  3 the idempotency record ("" for none)  4 the games that are due
--       5 the counters  6.. for each status: the public games in it, and all games in it by the time they expire
-- ARGV  1 the commit this change was made on ("" for a new game)  2 the new version  3 the fingerprint of the request
--       4 the answer  5 how long to keep it  6 how long to keep the game  7 the game's id  8 its status, from 1
--       9 how it is in the index of public games: "in", "out", or "as before"  10 its score there  11 when it is due
--       ("" for never)  12 now  13 how many values of the hash follow, the first being "commit" and the id of this
--       one, then events to the end
local stored = redis.call("HMGET", KEYS[1], "version", "commit")
if stored[2] == ARGV[15] then -- sent again, because the connection broke before the answer
  redis.call("EXPIRE", KEYS[1], ARGV[6]) -- a write, which WAIT can wait for
  return {"done"}
end
if KEYS[3] ~= "" then
  local seen = redis.call("HMGET", KEYS[3], "fingerprint", "answer")
  if seen[1] then
    if seen[1] ~= ARGV[3] then return {"reused"} end
    redis.call("EXPIRE", KEYS[3], ARGV[5])
    return {"seen", seen[2]}
  end
end
if ARGV[1] == "" then
  if stored[1] then return {"conflict"} end
else
  if not stored[1] then return {"gone"} end
  if stored[2] ~= ARGV[1] then
    redis.call("HINCRBY", KEYS[5], "count:conflict", 1)
    return {"conflict"}
  end
end
local first_event = 14 + tonumber(ARGV[13])
redis.call("HSET", KEYS[1], unpack(ARGV, 14, first_event - 1))
for from = first_event, #ARGV, 1000 do
  redis.call("RPUSH", KEYS[2], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
redis.call("HINCRBY", KEYS[5], "count:commit", 1)
redis.call("EXPIRE", KEYS[1], ARGV[6])
redis.call("EXPIRE", KEYS[2], ARGV[6])
if ARGV[11] == "" then
  redis.call("ZREM", KEYS[4], ARGV[7])
else
  redis.call("ZADD", KEYS[4], ARGV[11], ARGV[7])
end
local status = tonumber(ARGV[8])
redis.call("ZADD", KEYS[5 + 2 * status], ARGV[12] + ARGV[6], ARGV[7])
if ARGV[9] ~= "as before" then
  for each = 1, (#KEYS - 5) / 2 do
    local public, all = KEYS[4 + 2 * each], KEYS[5 + 2 * each]
    if each ~= status then
      redis.call("ZREM", public, ARGV[7])
      redis.call("ZREM", all, ARGV[7])
    elseif ARGV[9] == "in" then
      redis.call("ZADD", public, ARGV[10], ARGV[7])
    end
  end
end
if KEYS[3] ~= "" then
  redis.call("HSET", KEYS[3], "fingerprint", ARGV[3], "answer", ARGV[4])
  redis.call("EXPIRE", KEYS[3], ARGV[5])
end
redis.call("PUBLISH", "changed:" .. ARGV[7], ARGV[2])
return {"done"}
