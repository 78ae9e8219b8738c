-- A worker takes what has waited longest of the caller who used least, of four in five times in the class that comes
-- first.
-- ARGV  2 the holder  3 until when they have it  4 the ms of a slice of the class that comes first  5 of the other
-- What, since when, class, caller, how many workers died over it; or nothing
local SOON_OF = 5 -- one in so many is of the class that comes later, when there are both
local soon = redis.call("ZRANGE", at .. "soon", 0, 0, "WITHSCORES")
local later = redis.call("ZRANGE", at .. "later", 0, 0, "WITHSCORES")
local class, caller, used, ms = "soon", soon[1], soon[2], ARGV[4]
if later[1] and (not soon[1] or redis.call("INCR", at .. "served") % SOON_OF == 0) then
  class, caller, used, ms = "later", later[1], later[2], ARGV[5]
end
if not caller then return false end
local least = math.min(tonumber(soon[2] or later[2]), tonumber(later[2] or soon[2]))
if least > floor() then raise_floor(least) end
local item, since, next_one = unpack(redis.call("ZRANGE", at .. class .. ":" .. caller, 0, 1, "WITHSCORES"))
depart(item, class, caller, not next_one)
redis.call("ZADD", at .. "leases", ARGV[3], item)
redis.call("HSET", at .. "taken", item, table.concat({since, ARGV[2], ms, class, caller}, ":"))
-- Put down now, so that others come before their next one; set right when it is done.
local in_soon, in_later = soon[1], later[1]
if class == "soon" then in_soon = next_one else in_later = next_one end
note_used(caller, math.max(floor(), tonumber(used)) + ms, in_soon, in_later)
return {item, since, class, caller, redis.call("HGET", at .. "deaths", item) or "0"}
