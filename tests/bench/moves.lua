-- Plays many games move by move, all the same: wrk -s moves.lua URL -- GAMES MOVES
-- GAMES has a path and a token a line, MOVES a body. A game makes its next move when it was told of its last.
local moves, games, free, taken = {}, {}, {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local path, token = line:match("(%S+) (%S+)")
    local game = {
      path = path .. "/moves",
      headers = {["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json"},
      made = 0,
    }
    games[path:match("%w+$")] = game
    table.insert(free, game)
  end
  for line in io.lines(args[2]) do table.insert(moves, line) end
end

function request()
  taken = taken + 1
  local game = free[taken]
  game.made = game.made + 1
  return wrk.format("POST", game.path, game.headers, moves[game.made] or "no moves left")
end

function response(status, headers, body)
  local game = games[body:match('"game":{"id":"(%w+)"')]
  if not game then error("a move was refused: " .. body) end
  table.insert(free, game)
end
