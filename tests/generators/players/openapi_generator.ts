// A whole game through openapi-generator's client (typescript-fetch); its one argument is the service's address.
import { Configuration, GamesApi, MovesApi, PlayersApi } from "./made/openapi_generator";

const MOST_MOVES = 2000;
const basePath = process.argv[2] ?? "";
const asHolder = (accessToken?: string) => new Configuration({ basePath, accessToken });

const newGame = { seats: ["open", "open", "open"], players: 1, name: "openapi-generator" };
const created = await new GamesApi(asHolder()).createGame({ newGame });
const gameId = created.game.id;
const joined = await new PlayersApi(asHolder()).joinGame({ gameId, newPlayer: { name: "Ada" } });
const player = new MovesApi(asHolder(joined.token));
await new GamesApi(asHolder(created.token)).startGame({ gameId });

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const legal = await player.listLegalMoves({ gameId });
  const move = legal.legalMoves.at(-1);
  if (!move) break;
  const played = await player.playMoves({ gameId, turn: { moves: [move], version: legal.version } });
  if (played.events[0]?.type !== "choice") throw new Error("a move was not told");
}
const replay = await new GamesApi(asHolder()).getReplay({ gameId });
console.log(`${replay.moves.length} moves, ${replay.result.crew}: ${replay.result.cause}`);
