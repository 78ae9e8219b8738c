// A new game as its host wants it, and the request that makes it.

/** @typedef {"me" | "friend" | string} Sitter a bot's name, where it is neither */
/**
 * @typedef {object} Wish
 * @property {Sitter[]} seats @property {string} name of the player
 * @property {Record<string, unknown>} rules @property {number | null} seconds for a decision @property {boolean} isPrivate
 */

export const CREW = "captain";

/** One player and three captains. @param {string} name @returns {Wish} */
export const playNow = (name) => ({ seats: ["me", CREW, CREW, CREW], name, rules: {}, seconds: null, isPrivate: true });

/** How many people there would be; null where the rules know no such table. @param {Sitter[]} seats */
export function peopleAt(seats) {
  const mine = seats.filter((seat) => seat === "me").length;
  const friends = seats.filter((seat) => seat === "friend").length;
  if (mine === 0) return null;
  if (friends === 0) return mine === 1 ? seats.length : 1;
  if (mine === 1) return seats.length;
  return mine === 2 && friends === 2 && seats.length === 4 ? 2 : null;
}

/** Makes the table, sits down, and starts where nobody is waited for. @param {import("./api.js").Api} api @param {Wish} wish */
export async function open(api, { seats, name, rules, seconds, isPrivate }) {
  const waits = seats.includes("friend");
  const made = await api.send(
    "/v1/games",
    {
      seats: seats.map((seat) => (seat === "me" || seat === "friend" ? "open" : seat)),
      rules: { ...rules, players: peopleAt(seats) },
      turn_seconds: seconds,
      visibility: isPrivate ? "private" : "public",
      join: { name, seat: seats.indexOf("me") },
      start: !waits,
    },
    null,
  );
  return { id: made.game.id, host: made.token, token: made.player_token, waits };
}
