// A whole game through hey-api's client; its one argument is the service's address.
import { createGame, getReplay, joinGame, listLegalMoves, playMoves, startGame, streamEvents } from "./made/hey_api";
import { client } from "./made/hey_api/client.gen";

const MOST_MOVES = 2000;
client.setConfig({ baseUrl: process.argv[2] ?? "", throwOnError: true });

const seats = ["open", "open", "open"];
const { data: created } = await createGame({ body: { seats, players: 1, name: "hey-api" }, throwOnError: true });
const path = { game_id: created.game.id };
const host = { path, auth: created.token, throwOnError: true } as const;
const { data: joined } = await joinGame({ path, body: { name: "Ada" }, throwOnError: true });
const player = { path, auth: joined.token, throwOnError: true } as const;
await startGame({ ...host, body: {} });

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const { data: legal } = await listLegalMoves(player);
  const move = legal.legal_moves.at(-1);
  if (!move) break;
  const { data: played } = await playMoves({ ...player, body: { moves: [move], version: legal.version } });
  if (played.events[0]?.type !== "choice") throw new Error("a move was not told");
}

let lines = 0;
const { stream } = await streamEvents({ ...player, query: { after: 0 } });
for await (const line of stream) {
  lines += 1;
  if (typeof line === "object" && line.type === "game_over") break; // a 204 has none
}
const { data: replay } = await getReplay({ path, throwOnError: true });
console.log(`${replay.moves.length} moves, ${lines} lines, ${replay.result.crew}: ${replay.result.cause}`);
