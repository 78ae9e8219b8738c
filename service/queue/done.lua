-- A worker has done with something for now; or, without a holder, nobody need do anything about it any more.
-- KEYS  3 where what the caller used is counted besides, "" for nowhere
-- ARGV  2 what  3 the holder, "" for whoever  4 the caller  5 the ms it took  6 its class, if there is more to do, else
--       ""  7 how long to keep that count  8 1 if an error ended it, which the next worker shall know
local item, holder, caller, ms = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
if holder == "" then
  leave(item)
  release(item)
  redis.call("HDEL", at .. "again", item)
  return
end
local held, anything = taken(item), redis.call("ZCARD", at .. "since") > 0
if held and held.holder == holder then
  release(item)
  if ARGV[8] == "1" then note_death(item) end
  if anything then
    note_used(caller, used_by(caller) + ms - held.ms, true, true)
  else -- the caller stands in no line
    redis.call("ZINCRBY", at .. "used", ms - held.ms, caller)
  end
  local again = redis.call("HGET", at .. "again", item)
  anything = anything or again or ARGV[6] ~= ""
  if again then
    redis.call("HDEL", at .. "again", item)
    local class, other = again:match("^(%a+):(.*)$")
    enter(item, class, other, ARGV[1])
  elseif ARGV[6] ~= "" then
    enter(item, ARGV[6], caller, ARGV[1])
  end
end
if KEYS[3] ~= "" then
  redis.call("INCRBY", KEYS[3], ms)
  redis.call("EXPIRE", KEYS[3], ARGV[7])
end
if anything then call_a_worker() end
