url={{ origin }}/v1
game=$(curl -s $url/games --json '{"seats": ["open", "open", "open"], "players": 1}')
path=$url/games/$(jq -r .game.id <<<"$game")
host="Authorization: Bearer $(jq -r .token <<<"$game")"

player="Authorization: Bearer $(curl -s $path/players --json '{"name": "Ada"}' | jq -r .token)"
curl -s -X POST $path/start -H "$host" | jq -c .seats
echo "Watch: {{ origin }}/watch/$(jq -r .game.id <<<"$game")"

state=$(curl -s $path -H "$player")
while move=$(jq -ec '.legal_moves | max_by(.minutes)' <<<"$state"); do
  state=$(curl -s $path/moves -H "$player" --json "{\"moves\": [$move]}" | jq .game)
done
jq -c .result <<<"$state"
