-- The one way a game changes: all of it or nothing.
-- KEYS  1 the game's hash  2 its events  3 the idempotency record  4 the games that are due  5 the counters  6 the games
--       of its creator that are not over, by the time they expire; the game's hash again where there is no 3 or 6, since
--       all keys must be in one slot of a cluster  7.. for each status: the public games in it, and all games in it
--       by the time they expire  13 what the outside bot was asked that had to decide before  14 what the one is asked
--       that must decide now; the game's hash again where there is none  15.. the games of each outside bot at a seat,
--       where that may be news
-- ARGV  1 the commit this change was made on ("" for a new game)  2 the new version  3 the fingerprint of the request
--       4 the answer  5 how long to keep it  6 how long to keep the game  7 the game's id  8 its status, from 1
--       9 how it is in the index of public games: "in", "out", or "as before"  10 its score there  11 when it is due
--       ("" for never)  12 now  13 how many games that are not over its creator may have ("" for any number), if
--       this is a new one  14 seconds after which no game is kept  15 the decision that was asked for before, and is not any more ("" for none)
--       16 the one that is asked for now ("" for none, or the same)  17 what is noted of it  18 how many values of the hash
--       follow, the first being "commit" and the id of this one, then events to the end
local record, of_creator = KEYS[3] ~= KEYS[1] and KEYS[3], KEYS[6] ~= KEYS[1] and KEYS[6]
local stored = redis.call("HMGET", KEYS[1], "version", "commit")
if stored[2] == ARGV[20] then -- sent again, because the connection broke before the answer
  redis.call("EXPIRE", KEYS[1], ARGV[6]) -- a write, which WAIT can wait for
  return {"done"}
end
if record then
  local seen = redis.call("HMGET", record, "fingerprint", "answer")
  if seen[1] then
    if seen[1] ~= ARGV[3] then return {"reused"} end
    redis.call("EXPIRE", record, ARGV[5])
    return {"seen", seen[2]}
  end
end
if ARGV[1] == "" then
  if stored[1] then return {"conflict"} end
  if of_creator and ARGV[13] ~= "" and redis.call("ZCOUNT", of_creator, ARGV[12], "+inf") >= tonumber(ARGV[13]) then
    return {"many"}
  end
else
  if not stored[1] then return {"gone"} end
  if stored[2] ~= ARGV[1] then
    redis.call("HINCRBY", KEYS[5], "count:conflict", 1)
    return {"conflict"}
  end
end
-- The first write must be one that a full store refuses: after another one it lets the whole script pass.
local first_event = 19 + tonumber(ARGV[18])
redis.call("HSET", KEYS[1], unpack(ARGV, 19, first_event - 1))
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
local statuses, expires = 3, ARGV[12] + ARGV[6]
redis.call("ZADD", KEYS[6 + 2 * status], expires, ARGV[7])
if of_creator then
  if status == statuses then -- the last one is that of games that are over
    redis.call("ZREM", of_creator, ARGV[7])
  else
    if ARGV[1] == "" then redis.call("ZREMRANGEBYSCORE", of_creator, "-inf", ARGV[12]) end
    local noted = redis.call("ZSCORE", of_creator, ARGV[7])
    if not noted or math.abs(expires - noted) > 600 then -- what is inexact by minutes need not be written at each move
      redis.call("ZADD", of_creator, expires, ARGV[7])
      redis.call("EXPIRE", of_creator, ARGV[14])
    end
  end
end
if ARGV[9] ~= "as before" then
  for each = 1, statuses do
    local public, all = KEYS[5 + 2 * each], KEYS[6 + 2 * each]
    if each ~= status then
      redis.call("ZREM", public, ARGV[7])
      redis.call("ZREM", all, ARGV[7])
    elseif ARGV[9] == "in" then
      redis.call("ZADD", public, ARGV[10], ARGV[7])
    end
  end
end
-- Who waits for what an outside bot is asked is woken by the key's own name.
local publish = KEYS[1]:find("{", 1, true) and "SPUBLISH" or "PUBLISH"
if ARGV[15] ~= "" then redis.call("HDEL", KEYS[13], ARGV[15]) end
if ARGV[16] ~= "" then
  redis.call("HSET", KEYS[14], ARGV[16], ARGV[17])
  redis.call("EXPIRE", KEYS[14], ARGV[14])
  redis.call(publish, "changed:" .. KEYS[14], 1)
end
if ARGV[15] ~= "" and (ARGV[16] == "" or KEYS[13] ~= KEYS[14]) then
  redis.call(publish, "changed:" .. KEYS[13], 1)
end
for each = 15, #KEYS do
  if status == statuses then
    redis.call("ZREM", KEYS[each], ARGV[7])
  else
    redis.call("ZADD", KEYS[each], expires, ARGV[7])
    redis.call("EXPIRE", KEYS[each], ARGV[14])
  end
end
if record then
  redis.call("HSET", record, "fingerprint", ARGV[3], "answer", ARGV[4])
  redis.call("EXPIRE", record, ARGV[5])
end
-- A channel has a slot, too, where the game has one: a tag in its name, which is between the first word and the id.
redis.call(publish, KEYS[1]:gsub("^game:", "changed:"), ARGV[2])
return {"done"}
