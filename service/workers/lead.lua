-- Who leads. By Redis' own time, as it is; a lock that ends later than locks do is of before that went back.
-- KEYS  1 the lock  ARGV  1 who asks  2 for how many seconds
-- 1 if they lead
local time = redis.call("TIME")
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local who, till = (redis.call("GET", KEYS[1]) or ""):match("^(%x+) ([%d.]+)$")
local left = who and tonumber(till) - now or 0
if who ~= ARGV[1] and left > 0 and left < ARGV[2] + 1 then return 0 end
redis.call("SET", KEYS[1], ARGV[1] .. " " .. string.format("%.3f", now + ARGV[2]), "EX", 30) -- for releases that know
-- only locks of Redis
return 1
