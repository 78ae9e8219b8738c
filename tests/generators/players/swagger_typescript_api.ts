// A whole game through swagger-typescript-api's client; its one argument is the service's address.
import { Api } from "./made/swagger_typescript_api/api";

const MOST_MOVES = 2000;
const { v1 } = new Api({ baseUrl: process.argv[2] ?? "" });
const by = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const seats = ["open", "open", "open"];
const { data: created } = await v1.createGame({ seats, players: 1, name: "swagger-typescript-api" });
const gameId = created.game.id;
const { data: joined } = await v1.joinGame({ gameId }, { name: "Ada" });
const player = by(joined.token);
await v1.startGame({ gameId }, {}, by(created.token));

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const { data: legal } = await v1.listLegalMoves({ gameId }, player);
  const move = legal.legal_moves.at(-1);
  if (!move) break;
  const { data: played } = await v1.playMoves({ gameId }, { moves: [move], version: legal.version }, player);
  if (played.events[0]?.type !== "choice") throw new Error("a move was not told");
}
const { data: replay } = await v1.getReplay({ gameId });
console.log(`${replay.moves.length} moves, ${replay.result.crew}: ${replay.result.cause}`);
