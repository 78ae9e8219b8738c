-- The one way a match changes, whatever happens to it: all of it or nothing, and nothing twice.
-- KEYS  1 the match's hash  2 its open ranges  3 the matches to play  4 the counters  5 the list of matches
--       6 (create, hand_over: the idempotency record, the match's hash again for none)  6.. all keys of results, to be kept as long as the match
-- ARGV  1 what to do  2 now  3 the match's id; the rest goes with what is to be done
-- An open range is a member `series:first:last:raised:died:holder`, its score the time when its lease ends; 0 when it
-- was given back. `raised` counts how often its first game raised, `died` how often its worker left without a word.
local hash, open, to_play, counters, list = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local now, id = tonumber(ARGV[2]), ARGV[3]
local OVER = {finished = true, cancelled = true, failed = true}
local ROTATE = 10 -- seconds between marks, by which the pace of late is told
local MOST_RAISED, MOST_DIED = 3, 6
local TAKEN_AT_ONCE = 20000
local WORTHWHILE = 0.03 -- seconds of play, beside which taking a range costs little

local function text(name) return redis.call("HGET", hash, name) end
local function number(name) return tonumber(text(name) or nil) end
local function set(...) redis.call("HSET", hash, ...) end

local function keep_all()
  local keep = text("keep")
  redis.call("EXPIRE", hash, keep)
  redis.call("EXPIRE", open, keep)
  for at = 6, #KEYS do redis.call("EXPIRE", KEYS[at], keep) end
end

local function changed()
  local version = redis.call("HINCRBY", hash, "version", 1)
  set("changed", ARGV[2])
  keep_all()
  redis.call(hash:find("{", 1, true) and "SPUBLISH" or "PUBLISH", "changed:" .. hash, version)
end

local function enter(state)
  if text("state") == "running" then
    redis.call("HINCRBYFLOAT", hash, "ran", now - number("since"))
  end
  set("state", state)
  if state == "running" then
    local played = text("played")
    set("since", ARGV[2], "mark", ARGV[2], "marked", played, "mark_before", ARGV[2], "marked_before", played)
  end
  if state == "running" or state == "queued" then
    redis.call("ZADD", to_play, now, id)
  else
    redis.call("ZREM", to_play, id)
  end
  if OVER[state] then
    set("ended", ARGV[2])
    redis.call("DEL", open)
  end
end

local function fail(series, number, words)
  set("error", cjson.encode({series = series, number = number, error = words}))
  enter("failed")
end

local function put(range, lease)
  local member = {range.series, range.first, range.last, range.raised, range.died, range.holder}
  redis.call("ZADD", open, lease, table.concat(member, ":"))
end

local function all_open()
  local found = {}
  local flat = redis.call("ZRANGE", open, 0, -1, "WITHSCORES")
  for at = 1, #flat, 2 do
    local series, first, last, raised, died, holder = flat[at]:match("^(%d+):(%d+):(%d+):(%d+):(%d+):(.*)$")
    if text("stop:" .. series) then -- a verdict stands, so all games before it are played
      redis.call("ZREM", open, flat[at])
    else
      table.insert(found, {
        member = flat[at], lease = tonumber(flat[at + 1]), series = tonumber(series), first = tonumber(first),
        last = tonumber(last), raised = tonumber(raised), died = tonumber(died), holder = holder,
      })
    end
  end
  return found
end

local function never_taken()
  local found = {}
  local games = number("games")
  for series = 0, number("series") - 1 do
    local next = number("next:" .. series)
    if next < games and not text("stop:" .. series) then
      table.insert(found, {
        series = series, first = next, last = games, raised = 0, died = 0, holder = "", lease = 0, fresh = true,
      })
    end
  end
  return found
end

-- What may be taken, the lowest number of the first series before all others; how many games that is; how many leases.
local function free()
  local best, games, leases = nil, 0, 0
  local function consider(range)
    games = games + range.last - range.first
    if not best or range.series < best.series or (range.series == best.series and range.first < best.first) then
      best = range
    end
  end
  for _, range in ipairs(all_open()) do
    if range.lease <= now then consider(range) else leases = leases + 1 end
  end
  for _, range in ipairs(never_taken()) do consider(range) end
  return best, games, leases
end

local function is_complete()
  if not text("outside") then return #never_taken() == 0 and #all_open() == 0 end
  for series = 0, number("series") - 1 do
    local played = number("played:" .. series) or 0
    if not text("stop:" .. series) and played < number("games") * number("line_ups") then return false end
  end
  return true
end

local function finish_if_complete()
  if is_complete() then enter("finished") end
end

local function count_played(series, games)
  redis.call("HINCRBY", hash, "played:" .. series, games)
  local all = redis.call("HINCRBY", hash, "played", games)
  redis.call("HINCRBY", counters, "count:match_game", games)
  if now - (number("mark") or now) >= ROTATE then
    set("mark_before", text("mark"), "marked_before", text("marked"), "mark", ARGV[2], "marked", all)
  end
end

-- What goes with single games, from that argument on: "zset" or "hash", key, number, value.
local function put_extras(from)
  for at = from, #ARGV, 4 do
    local kind, key, game, value = unpack(ARGV, at, at + 3)
    if kind == "hash" then
      redis.call("HSET", key, game, value)
    else -- what only the first few are wanted of
      redis.call("ZADD", key, game, value)
      redis.call("ZREMRANGEBYRANK", key, 10, -1)
    end
  end
end

-- The places of the games that are tables, but for one; and whether that was among them.
local function tables_but(place)
  local found, others = false, {}
  for each in (text("tables") or ""):gmatch("%S+") do
    if each == place then found = true else table.insert(others, each) end
  end
  return others, found
end

local function taken(range)
  return {"taken", range.series, range.first, range.last, range.raised, range.died}
end

-- What the same request was answered before; nothing if it comes for the first time, or without a key.
local function answered(record)
  if record == hash then return nil end
  local seen = redis.call("HMGET", record, "fingerprint", "answer")
  if not seen[1] then return nil end
  if seen[1] ~= ARGV[4] then return {"reused"} end
  return {"seen", seen[2]}
end

local function remember(record)
  if record == hash then return end
  redis.call("HSET", record, "fingerprint", ARGV[4], "answer", ARGV[5])
  redis.call("EXPIRE", record, ARGV[6])
end

local act = {}

-- 4 the fingerprint of the request  5 the answer  6 how long to keep it  7 the place in the list  8.. the hash
function act.create()
  local before = answered(KEYS[6])
  if before then return before end
  remember(KEYS[6])
  redis.call("HSET", hash, unpack(ARGV, 8))
  redis.call("EXPIRE", hash, text("keep"))
  redis.call("ZADD", list, ARGV[7], id)
  redis.call("ZADD", to_play, now, id)
  return {"done"}
end

-- 4 the place in the list  5 how many values of the hash follow, after which there are, for each key that has anything:
-- its type, its name, how many values follow, and these
function act.restore()
  if redis.call("EXISTS", hash) == 1 then return {"conflict"} end
  local by_type = {string = "SET", hash = "HSET", zset = "ZADD"}
  local function put_values(command, key, first, last)
    for from = first, last, 1000 do redis.call(command, key, unpack(ARGV, from, math.min(from + 999, last))) end
  end
  local at = 6 + ARGV[5]
  put_values("HSET", hash, 6, at - 1)
  while at <= #ARGV do
    local values = tonumber(ARGV[at + 2])
    put_values(by_type[ARGV[at]], ARGV[at + 1], at + 3, at + 2 + values)
    at = at + 3 + values
  end
  redis.call("ZADD", list, ARGV[4], id)
  local state = text("state")
  if state == "running" or state == "queued" then redis.call("ZADD", to_play, now, id) end
  keep_all()
  return {"done"}
end

-- 4 the holder  5 until when  6 seconds that it has  7 lanes  8 how many, where nobody knows how long a game takes
function act.take()
  local state = text("state")
  if state ~= "queued" and state ~= "running" then return {"none"} end
  for _, range in ipairs(all_open()) do
    if range.holder == ARGV[4] then return taken(range) end -- asked again, because the connection broke
  end
  local range, games = free()
  if not range then return {"none"} end
  if range.lease > 0 then range.died = range.died + 1 end
  if range.died > MOST_DIED then
    fail(range.series, range.first, "the workers that play it end without a word")
    changed()
    return {"none"}
  end
  local pace = number("pace:" .. range.series)
  local share = math.ceil(games / (2 * ARGV[7])) -- less and less, so that all workers end at the same time
  local most = tonumber(ARGV[8])
  if pace then
    most = math.floor(ARGV[6] / pace)
    share = math.max(share, math.floor(WORTHWHILE / pace))
  end
  most = math.max(1, math.min(most, share, TAKEN_AT_ONCE))
  if range.died > 1 then most = 1 end -- to find out which game it is
  local last = math.min(range.last, range.first + most)
  if range.fresh then
    set("next:" .. range.series, last)
  else
    redis.call("ZREM", open, range.member)
    if last < range.last then
      put({series = range.series, first = last, last = range.last, raised = 0, died = range.died, holder = ""}, 0)
    end
  end
  range.last, range.holder = last, ARGV[4]
  put(range, ARGV[5])
  if state == "queued" then
    enter("running")
    if not text("started") then set("started", ARGV[2]) end
    changed()
  end
  return taken(range)
end

-- 4 series  5 first  6 up to where it is played  7 last  8 raised  9 died  10 the holder  11 until when
-- 12 "on", "back" or "raised"  13 the error  14 seconds a game  15 line-ups, then for each: key and results
-- then what goes with single games: "zset" or "hash", key, number, value
function act.merge()
  local state = text("state")
  if not state or OVER[state] then return {"over"} end
  local upto, last = tonumber(ARGV[6]), tonumber(ARGV[7])
  local played = upto - ARGV[5]
  local rest = 16
  for _ = 1, ARGV[15] do
    local results = ARGV[rest + 1]
    if played > 0 then redis.call("SETRANGE", ARGV[rest], ARGV[5] * (#results / played), results) end
    rest = rest + 2
  end
  put_extras(rest)
  local mine = table.concat({ARGV[4], ARGV[5], last, ARGV[8], ARGV[9], ARGV[10]}, ":")
  local held = redis.call("ZREM", open, mine) == 1
  if not held then -- too late, or told again: another has the range, and comes to the same
    changed()
    return {"lost"}
  end
  local on = {series = ARGV[4], first = upto, last = last, raised = 0, died = 0, holder = ARGV[10]}
  if played == 0 then on.raised, on.died = tonumber(ARGV[8]), tonumber(ARGV[9]) end
  if ARGV[12] == "raised" then
    on.raised, on.last, on.holder = on.raised + 1, upto + 1, ""
    put(on, 0)
    if upto + 1 < last then
      put({series = ARGV[4], first = upto + 1, last = last, raised = 0, died = 0, holder = ""}, 0)
    end
  elseif upto < last then
    local goes_on = ARGV[12] == "on" and state == "running"
    if not goes_on then on.holder = "" end
    put(on, goes_on and ARGV[11] or 0)
  end
  if played > 0 then
    set("pace:" .. ARGV[4], ARGV[14])
    count_played(ARGV[4], played * ARGV[15])
  end
  if on.raised >= MOST_RAISED then
    fail(tonumber(ARGV[4]), upto, ARGV[13])
  else
    finish_if_complete()
  end
  changed()
  return {text("state")}
end

-- 4 how many tables there may be: places of games are added in order, the lowest number of the first series first
function act.seat()
  local state = text("state")
  if state ~= "queued" and state ~= "running" then return {} end
  local places = tables_but("")
  local games, line_ups, at = number("games"), number("line_ups"), number("tabled")
  local of_series = games * line_ups
  while #places < tonumber(ARGV[4]) and at < of_series * number("series") do
    local series = math.floor(at / of_series)
    if text("stop:" .. series) then
      at = of_series * (series + 1)
    else
      local rest = at - of_series * series
      local place = {series, rest % line_ups, math.floor(rest / line_ups), 1}
      table.insert(places, string.format("%d:%d:%d:%d", unpack(place)))
      at = at + 1
    end
  end
  set("tables", table.concat(places, " "), "tabled", string.format("%d", at))
  if state == "queued" then
    enter("running")
    if not text("started") then set("started", ARGV[2]) end
    changed()
  end
  return places
end

-- 4 the place of a table that is over  5 its series  6 its number  7 the key of its results  8 the result
-- then what goes with it
function act.fold()
  local state = text("state")
  if not state or OVER[state] then return {"over"} end
  local others, is_there = tables_but(ARGV[4])
  if not is_there then return {"known"} end
  redis.call("SETRANGE", ARGV[7], ARGV[6] * #ARGV[8], ARGV[8])
  put_extras(9)
  set("tables", table.concat(others, " "))
  count_played(ARGV[5], 1)
  finish_if_complete()
  changed()
  return {text("state")}
end

-- 4 the place of a table whose bot broke its game  5 that of the next attempt at the game
function act.again()
  local state = text("state")
  if not state or OVER[state] then return {"over"} end
  local others, is_there = tables_but(ARGV[4])
  if not is_there then return {"known"} end
  table.insert(others, ARGV[5])
  set("tables", table.concat(others, " "))
  keep_all()
  return {"done"}
end

-- 4 which outside bots are absent, as JSON  5 whether that is news for people  6 whether the match pauses
function act.mind()
  local state = text("state")
  if not state or OVER[state] then return {"over"} end
  set("absences", ARGV[4])
  if ARGV[6] == "1" and state ~= "paused" then enter("paused") end
  if ARGV[5] == "1" then changed() end
  return {text("state")}
end

-- 4 series  5 so many games of it count, as they settle what was asked
function act.decide()
  local state = text("state")
  if not state or OVER[state] then return {"over"} end
  if redis.call("HSETNX", hash, "stop:" .. ARGV[4], ARGV[5]) == 1 then
    finish_if_complete()
    changed()
  end
  return {text("state")}
end

-- 4 the state that it shall be in
function act.alter()
  local state = text("state")
  if not state then return {"gone"} end
  if state == ARGV[4] or (state == "queued" and ARGV[4] == "running") then return {"done"} end
  if OVER[state] then return {"over", state} end
  if ARGV[4] == "running" and not text("started") then enter("queued") else enter(ARGV[4]) end
  changed()
  return {"done"}
end

-- 4 the fingerprint of the request  5 the answer  6 how long to keep it  7 the holder  8 the next one ("" for none)
-- 9 how many hashes of holders before them are kept
function act.hand_over()
  local before = answered(KEYS[6])
  if before then return before end
  local holder = text("holder")
  if holder == ARGV[8] then return {"done"} end -- sent again, because the connection broke
  if holder ~= ARGV[7] then return {"lost"} end
  local kept, revoked = tonumber(ARGV[9]), {ARGV[7]}
  for each in (text("revoked") or ""):gmatch("%x+") do
    if #revoked < kept then table.insert(revoked, each) end
  end
  remember(KEYS[6])
  set("holder", ARGV[8], "revoked", table.concat(revoked, " "))
  return {"done"}
end

-- How many games may be taken, and how many ranges somebody has.
function act.look()
  local state = text("state")
  if not state then redis.call("ZREM", to_play, id) end
  if state ~= "queued" and state ~= "running" then return {0, 0} end
  local _, games, leases = free()
  return {games, leases}
end

return act[ARGV[1]]()
