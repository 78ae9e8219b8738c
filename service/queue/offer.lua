-- Something waits for a worker from now on, unless it did so already: it keeps its place then, but for its class.
-- ARGV  2 what  3 its class  4 the caller it is charged to
-- 1 if it did not wait before, else 0
local item, class, caller = ARGV[2], ARGV[3], ARGV[4]
local lease = redis.call("ZSCORE", at .. "leases", item)
if lease and tonumber(lease) > now then -- whoever has it may have looked too early
  redis.call("HSET", at .. "again", item, class .. ":" .. caller)
  return 0
end
local since, fresh = ARGV[1], 1
if lease then -- the worker who had it is gone, and it has waited all the time
  local held = taken(item)
  if held then since = held.since end
  release(item)
  note_death(item)
end
local known = redis.call("HGET", at .. "waiting", item)
if known then
  fresh = 0
  since = redis.call("ZSCORE", at .. "since", item) or since
  local _, first = leave(item)
  caller = first -- who asks for the same later does not take it over into their own line
end
enter(item, class, caller, since)
call_a_worker()
return fresh
