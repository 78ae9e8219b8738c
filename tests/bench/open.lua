-- Makes games, joins and starts each, a request at a time: wrk -s open.lua URL
local games, due = {}, {}

local function ask(path, body, token)
  local headers = {["Content-Type"] = "application/json"}
  if token then headers["Authorization"] = "Bearer " .. token end
  return wrk.format("POST", path, headers, body)
end

function request()
  return table.remove(due) or ask("/v1/games", '{"players":1,"rules":{"gnomes":4}}')
end

function response(status, headers, body)
  local id = body:match('"id":"(%w+)"')
  if not id then error("a request was refused: " .. body) end
  local path, host = "/v1/games/" .. id, games[id]
  if not host then
    games[id] = {token = body:match('"token":"([%w_-]+)"')}
    table.insert(due, ask(path .. "/players", '{"name":"Gnome"}'))
  elseif not host.joined then
    host.joined = true
    table.insert(due, ask(path .. "/start", "{}", host.token))
  else
    games[id] = nil
  end
end
