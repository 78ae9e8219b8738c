// A whole game through openapi-fetch and the generated types. Its arguments are the service's address
// and, for a release with other codes, the code of what is forbidden.
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };
type Move = components["schemas"]["Move"];

const MOST_MOVES = 2000;
const baseUrl = process.argv[2] ?? "";
const forbidden = process.argv[3] ?? "forbidden";
const anybody = createClient<paths>({ baseUrl });
const holderOf = (token: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

function kept<Answer>({ data, error }: { data?: Answer; error?: components["schemas"]["Problem"] }): Answer {
  if (data === undefined) throw new Error(`refused: ${error?.code}: ${error?.detail}`);
  return data;
}

// A move's type tells which fields it has.
function told(move: Move): string {
  switch (move.type) {
    case "open_hatch":
      return `opens the hatch to ${move.to}`;
    case "fix_engine":
      return `fixes the engine for ${move.minutes} minutes`;
    default:
      return move.type;
  }
}

const wanted = { seats: ["open" as const, "open" as const, "open" as const], players: 1, name: "TypeScript" };
const header = { "Idempotency-Key": `a key of the typescript client: ${Math.random()}` };
const created = kept(await anybody.POST("/v1/games", { body: wanted, params: { header } }));
const again = kept(await anybody.POST("/v1/games", { body: wanted, params: { header } }));
if (again.token !== created.token) throw new Error("a repeated request made another game");

const path = { game_id: created.game.id };
const host = holderOf(created.token);
const joined = kept(await host.POST("/v1/games/{game_id}/players", { params: { path }, body: { name: "Ada" } }));
const player = holderOf(joined.token);
const { error, response } = await player.POST("/v1/games/{game_id}/start", { params: { path } });
if (response.status !== 403 || error?.code !== forbidden) throw new Error("a player started the game");
kept(await host.POST("/v1/games/{game_id}/start", { params: { path } }));

let moves = 0;
let state = kept(await player.GET("/v1/games/{game_id}", { params: { path } }));
while (state.result === null && moves < MOST_MOVES) {
  const move = state.legal_moves[state.legal_moves.length - 1];
  if (!move || !told(move)) throw new Error("there is nothing to choose from");
  const body = { moves: [move], version: state.version };
  const answer = kept(await player.POST("/v1/games/{game_id}/moves", { params: { path }, body }));
  if (!answer.game) throw new Error("a move was answered without the state");
  if (answer.events[0]?.type !== "choice") throw new Error("a move was not told");
  state = answer.game;
  moves += 1;
}
const replay = kept(await anybody.GET("/v1/games/{game_id}/replay", { params: { path } }));
console.log(`${replay.moves.length} moves, ${replay.result.crew}: ${replay.result.cause}`);
