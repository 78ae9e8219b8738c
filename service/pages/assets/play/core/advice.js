// What a bot would do, for whoever asks: its plans, and which of them are as good as the best.

/** @typedef {import("./turn.js").Move} Move */
/** @typedef {{ moves: Move[], rescue_rate: number | null, error: number | null, deaths_per_game: number | null, line: any[] }} Advised */

const WAIT_SECONDS = 10;
const SHOWN = 3;

/** Asks, and waits until there is an answer; null where the game has moved on. @param {import("./session.js").Session} session @returns {Promise<Advised[] | null>} */
export async function advise(session) {
  const { api, path, token } = session;
  let answer = await api.post(`${path}/advice`, undefined, token);
  while (answer.status === "working") answer = await api.get(`${path}/advice/${answer.id}?wait=${WAIT_SECONDS}`, token);
  return answer.stale || answer.status !== "done" ? null : answer.plans.slice(0, SHOWN);
}

/** Whether a plan can't be told from the best: their errors overlap. @param {Advised} plan @param {Advised} best */
export function isAsGood(plan, best) {
  if (plan === best) return true;
  if (plan.rescue_rate == null || best.rescue_rate == null) return false;
  return best.rescue_rate - plan.rescue_rate <= (plan.error ?? 0) + (best.error ?? 0);
}

/** A plan's steps as they are staged: the way, and what is done at its end. @param {Advised} plan */
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
