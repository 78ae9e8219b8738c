-- Count what a bot did, unless its account is gone.
-- KEYS  1 the account  ARGV  1 misses in a row after which it pauses, "" where it did not miss  2.. counters, and what is
-- added to each
if redis.call("HEXISTS", KEYS[1], "terms") == 0 then return 0 end
for each = 2, #ARGV, 2 do redis.call("HINCRBY", KEYS[1], ARGV[each], ARGV[each + 1]) end
if ARGV[1] == "" then return 0 end
local misses = redis.call("HINCRBY", KEYS[1], "misses", 1)
if misses >= tonumber(ARGV[1]) and redis.call("HGET", KEYS[1], "pause") == "" then
  redis.call("HSET", KEYS[1], "pause", "misses")
  return 1
end
return 0
