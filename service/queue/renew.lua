-- A worker is still at it. Only the holder's lease is renewed: one that ran out may be another worker's by now.
-- ARGV  2 what  3 the holder  4 until when they have it
-- 1 if it is theirs, else 0
local held = taken(ARGV[2])
if not held or held.holder ~= ARGV[3] then return 0 end
redis.call("ZADD", at .. "leases", "XX", ARGV[4], ARGV[2])
return 1
