// A whole game through openapi-fetch and the types of openapi-typescript; its one argument is the service's address.
import createClient from "openapi-fetch";
import type { components, paths } from "./made/openapi_typescript";

const MOST_MOVES = 2000;
const baseUrl = process.argv[2] ?? "";
const anybody = createClient<paths>({ baseUrl });
const holderOf = (token: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

function kept<Answer>({ data, error }: { data?: Answer; error?: components["schemas"]["Problem"] }): Answer {
  if (data === undefined) throw new Error(`refused: ${error?.code}: ${error?.detail}`);
  return data;
}

const body = { seats: ["open", "open", "open"], players: 1, name: "openapi-fetch" };
const created = kept(await anybody.POST("/v1/games", { body }));
const params = { path: { game_id: created.game.id } };
const joined = kept(await anybody.POST("/v1/games/{game_id}/players", { params, body: { name: "Ada" } }));
const player = holderOf(joined.token);
kept(await holderOf(created.token).POST("/v1/games/{game_id}/start", { params }));

for (let moves = 0; moves < MOST_MOVES; moves += 1) {
  const legal = kept(await player.GET("/v1/games/{game_id}/legal-moves", { params }));
  const move = legal.legal_moves.at(-1);
  if (!move) break;
  const turn = { moves: [move], version: legal.version };
  const played = kept(await player.POST("/v1/games/{game_id}/moves", { params, body: turn }));
  if (played.events[0]?.type !== "choice") throw new Error("a move was not told");
}
const replay = kept(await anybody.GET("/v1/games/{game_id}/replay", { params }));
console.log(`${replay.moves.length} moves, ${replay.result.crew}: ${replay.result.cause}`);
