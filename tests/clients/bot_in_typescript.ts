// A bot on the generated types: one connection for all of its games, an answer to each decision.
// Its arguments are the service's address, the bot's name and its token; it ends with its last game.
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };
type Line = components["schemas"]["DecisionLine"];
type Decision = components["schemas"]["DecisionLineDecision"];

const [baseUrl = "", bot_name = "", token = ""] = process.argv.slice(2);
const service = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const path = { bot_name };

async function answer({ id, state, seed }: Decision): Promise<void> {
  const move = state!.legal_moves[seed % state!.legal_moves.length]!;
  const body = { answers: [{ id, moves: [move] }] };
  const { data, error } = await service.POST("/v1/bots/{bot_name}/answers", { params: { path }, body });
  if (!data) throw new Error(`refused: ${error.code}`);
  console.log(data.answers[0]!.outcome);
}

const headers = { Accept: "application/x-ndjson" };
const { data } = await service.GET("/v1/bots/{bot_name}/decisions", { params: { path }, headers, parseAs: "stream" });
const decoder = new TextDecoder();
let text = "";
for await (const piece of data as ReadableStream<Uint8Array>) {
  const lines = (text + decoder.decode(piece, { stream: true })).split("\n");
  text = lines.pop()!;
  for (const line of lines.map((each) => JSON.parse(each) as Line)) if (line.type === "decision") void answer(line);
}
