-- Note that an outside bot is told of a decision, from when on its time runs; one that it knows keeps its time.
-- KEYS  1 what the bot is asked  2 the games that are due
-- ARGV  1 the decision  2 its game  3 now  4 when its time is up, if it begins now
local entry = redis.call("HGET", KEYS[1], ARGV[1])
if not entry then return false end
local since, sent, illegal = entry:match("^(%S+) (%S+) (.*)$")
if tonumber(sent) > 0 then return entry end
entry = since .. " " .. ARGV[3] .. " " .. illegal
redis.call("HSET", KEYS[1], ARGV[1], entry)
redis.call("ZADD", KEYS[2], "XX", ARGV[4], ARGV[2])
return entry
