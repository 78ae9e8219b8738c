// What a bot would do, for whoever asks: its plans, and which of them are as good as the best.

/** @typedef {import("./turn.js").Move} Move */
/** @typedef {import("contract").components["schemas"]["AdvisedPlan"]} Advised */

const WAIT_SECONDS = 10;
const SHOWN = 3;

/**
 * Asks, and waits until there is an answer; no plans where the game has moved on.
 * @param {import("./session.js").Session} session @param {{ moves: Move[], version: number }} [staged] weighed beside the bot's
 * @returns {Promise<{ plans: Advised[] | null, own: Advised | null }>}
 */
export async function advise(session, staged) {
  const { api, path, token } = session;
  let answer = await api.post(`${path}/advice`, staged, token);
  while (answer.status === "working") answer = await api.get(`${path}/advice/${answer.id}?wait=${WAIT_SECONDS}`, token);
  if (answer.stale || answer.status !== "done") return { plans: null, own: null };
  return { plans: answer.plans.slice(0, SHOWN), own: answer.own ?? null };
}

/** A plan's steps as they are staged: the way, and what is done at its end. @param {Advised} plan @returns {{ path: Move[], move: Move | null }} */
export function stepsOf({ moves }) {
  const last = moves.at(-1);
  const isStep = !last || ["open_hatch", "enter", "stay", "use_item"].includes(last.type);
  return { path: isStep ? moves : moves.slice(0, -1), move: isStep ? null : (last ?? null) };
}

/** What its line comes to. @param {any[]} line */
export function totalOf(line) {
  const last = line.at(-1);
  const minutes = line.reduce((sum, { cost }) => sum + cost, 0);
  return { minutes, chance: last?.chance ?? null, ghost: last?.ghost ?? null, events: last?.triggers.events ?? [], items: last?.triggers.items ?? [], effects: [] };
}
