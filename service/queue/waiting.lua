-- What waits for workers, and whose turn it is: the head of offer.lua, take.lua, renew.lua and done.lua.
-- KEYS  1 the beginning of the keys  2 RQ's queue, whose jobs each say "take one"
-- ARGV  1 now; the rest goes with the script
-- {1}since    sorted set: what waits, by the time since when
-- {1}waiting  hash: what waits → its class and the caller it is charged to
-- {1}soon:CALLER, {1}later:CALLER  sorted sets: what waits of a caller in a class, by the time since when
-- {1}soon, {1}later  sorted sets: callers with something waiting in that class, by what they used
-- {1}used     sorted set: callers by the worker time that they used, in ms; who is not in it used {1}floor
-- {1}floor    what the caller had used who was served last: who comes anew has no more in hand than they
-- {1}leases   sorted set: what workers have, by the time when they must have told that they are still at it
-- {1}taken    hash: what workers have → since when it had waited, the holder, the ms put down, class, caller
-- {1}again    hash: what was offered while a worker had it → class, caller
-- {1}deaths   hash: what workers had who died, or raised an error → how many since something was done about it
-- {1}calls, {1}served  counters
local at, queue = KEYS[1], KEYS[2]
local now = tonumber(ARGV[1])
local MOST_CALLS = 64 -- jobs in the queue: each that is done calls for the next
local DEATHS_SECONDS = 3600 -- that deaths are remembered

local known_floor
local function floor()
  known_floor = known_floor or tonumber(redis.call("GET", at .. "floor") or 0)
  return known_floor
end

-- Who used no more than the floor need not be known: they are forgotten once in a minute of work.
local function raise_floor(least)
  local is_time = math.floor(least / 60000) > math.floor(floor() / 60000)
  known_floor = least
  redis.call("SET", at .. "floor", least)
  if is_time then redis.call("ZREMRANGEBYSCORE", at .. "used", "-inf", least) end
end

local function used_by(caller)
  return math.max(floor(), tonumber(redis.call("ZSCORE", at .. "used", caller) or 0))
end

-- The last two tell whether the caller may have something waiting in that class: where not, nothing is written.
local function note_used(caller, used, in_soon, in_later)
  redis.call("ZADD", at .. "used", used, caller)
  if in_soon then redis.call("ZADD", at .. "soon", "XX", used, caller) end
  if in_later then redis.call("ZADD", at .. "later", "XX", used, caller) end
end

local function enter(item, class, caller, since)
  redis.call("HSET", at .. "waiting", item, class .. ":" .. caller)
  redis.call("ZADD", at .. "since", since, item)
  redis.call("ZADD", at .. class .. ":" .. caller, since, item)
  redis.call("ZADD", at .. class, used_by(caller), caller)
end

local function depart(item, class, caller, is_last)
  redis.call("HDEL", at .. "waiting", item)
  redis.call("ZREM", at .. "since", item)
  redis.call("ZREM", at .. class .. ":" .. caller, item)
  if is_last then redis.call("ZREM", at .. class, caller) end
end

-- Its class and caller, if it waited.
local function leave(item)
  local found = redis.call("HGET", at .. "waiting", item)
  if not found then return nil end
  local class, caller = found:match("^(%a+):(.*)$")
  depart(item, class, caller, redis.call("ZCARD", at .. class .. ":" .. caller) <= 1)
  return class, caller
end

local function call_a_worker()
  local most = math.min(MOST_CALLS, redis.call("ZCARD", at .. "since"))
  if most > 0 and redis.call("LLEN", queue) < most then
    redis.call("RPUSH", queue, at:gsub(":", "-") .. redis.call("INCR", at .. "calls"))
  end
end

local function taken(item)
  local found = redis.call("HGET", at .. "taken", item)
  if not found then return nil end
  -- Valkey writes some scores as 1.7950766973413799e+9.
  local since, holder, ms, class, caller = found:match("^([^:]+):(%x*):(%d+):(%a+):(.*)$")
  return {since = since, holder = holder, ms = tonumber(ms), class = class, caller = caller}
end

local function release(item)
  redis.call("HDEL", at .. "taken", item)
  redis.call("ZREM", at .. "leases", item)
end

local function note_death(item)
  redis.call("HINCRBY", at .. "deaths", item, 1)
  redis.call("EXPIRE", at .. "deaths", DEATHS_SECONDS)
end
