// A whole game through orval's fetch client, each answer checked by its zod schemas; its argument is the address.
import * as api from "./made/orval/client";
import * as shapes from "./made/orval/zod";

const MOST_MOVES = 2000;
const send = globalThis.fetch;
globalThis.fetch = (path, options) => send(new URL(String(path), process.argv[2]), options);
const by = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const created = await api.createGame({ seats: ["open", "open", "open"], players: 1, name: "orval" });
if (created.status !== 201) throw new Error(created.data.detail);
const { token, game } = created.data;
const joined = await api.joinGame(game.id, { name: "Ada" });
if (joined.status !== 201) throw new Error(joined.data.detail);
const player = by(joined.data.token);
const started = await api.startGame(game.id, {}, by(token));
if (started.status !== 200) throw new Error(started.data.detail);
shapes.startGameResponse.parse(started.data);

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const legal = await api.listLegalMoves(game.id, {}, player);
  if (legal.status !== 200) throw new Error(legal.data.detail);
  const { legal_moves, version } = shapes.listLegalMovesResponse.parse(legal.data);
  const move = legal_moves.at(-1);
  if (!move) break;
  const played = await api.playMoves(game.id, shapes.playMovesBody.parse({ moves: [move], version }), player);
  if (played.status !== 200) throw new Error(played.data.detail);
  const { events } = shapes.playMovesResponse.parse(played.data);
  if (events[0]?.type !== "choice") throw new Error("a move was not told");
}
const replay = await api.getReplay(game.id);
if (replay.status !== 200) throw new Error(replay.data.detail);
const { moves, result } = shapes.getReplayResponse.parse(replay.data);
console.log(`${moves.length} moves, ${result.crew}: ${result.cause}`);
