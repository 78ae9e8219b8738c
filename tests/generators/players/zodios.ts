// A whole game through openapi-zod-client's client, which checks each answer; its one argument is the address.
import { createApiClient } from "./made/zodios";

const MOST_MOVES = 2000;
const api = createApiClient(process.argv[2] ?? "");
const by = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const created = await api.createGame({ seats: ["open", "open", "open"], players: 1, name: "zodios" });
const params = { game_id: created.game.id };
const joined = await api.joinGame({ name: "Ada" }, { params });
const player = { params, ...by(joined.token) };
await api.startGame({}, { params, ...by(created.token) });

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const legal = await api.listLegalMoves(player);
  const move = legal.legal_moves.at(-1);
  if (!move) break;
  const played = await api.playMoves({ moves: [move], version: legal.version }, player);
  if (played.events[0]?.type !== "choice") throw new Error("a move was not told");
}
const replay = await api.getReplay({ params });
console.log(`${replay.moves.length} moves, ${replay.result.crew}: ${replay.result.cause}`);
