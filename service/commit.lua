-- The one way a game changes: all of it or nothing.
-- KEYS  1 the game's hash  2 its events  3 the idempotency record ("" for none)  4 the games that are due
--       5.. the indexes, by status
-- ARGV  1 the version this change was made on ("" for a new game)  2 the new version  3 the fingerprint of the request
--       4 the answer  5 how long to keep it  6 how long to keep the game  7 the game's id  8 the number of its index
--       (0 for none, -1 as before)  9 its score there  10 when the game is due ("" for never)  11 how many values of the hash follow, the first being "commit" and
--       the id of this one, then events to the end
local stored = redis.call("HMGET", KEYS[1], "version", "commit")
if stored[2] == ARGV[13] then return {"done"} end -- sent again, because the connection broke before the answer
if KEYS[3] ~= "" then
  local seen = redis.call("HMGET", KEYS[3], "fingerprint", "answer")
  if seen[1] then
    if seen[1] == ARGV[3] then return {"seen", seen[2]} end
    return {"reused"}
  end
end
local current = stored[1]
if ARGV[1] == "" then
  if current then return {"conflict", current} end
else
  if not current then return {"gone"} end
  if current ~= ARGV[1] then return {"conflict", current} end
end
local first_event = 12 + tonumber(ARGV[11])
redis.call("HSET", KEYS[1], unpack(ARGV, 12, first_event - 1))
for from = first_event, #ARGV, 1000 do
  redis.call("RPUSH", KEYS[2], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
redis.call("EXPIRE", KEYS[1], ARGV[6])
redis.call("EXPIRE", KEYS[2], ARGV[6])
if ARGV[10] == "" then
  redis.call("ZREM", KEYS[4], ARGV[7])
else
  redis.call("ZADD", KEYS[4], ARGV[10], ARGV[7])
end
local index = tonumber(ARGV[8])
if index >= 0 then
  for number = 5, #KEYS do
    if number - 4 == index then
      redis.call("ZADD", KEYS[number], ARGV[9], ARGV[7])
    else
      redis.call("ZREM", KEYS[number], ARGV[7])
    end
  end
end
if KEYS[3] ~= "" then
  redis.call("HSET", KEYS[3], "fingerprint", ARGV[3], "answer", ARGV[4])
  redis.call("EXPIRE", KEYS[3], ARGV[5])
end
redis.call("PUBLISH", "changed:" .. ARGV[7], ARGV[2])
return {"done"}
