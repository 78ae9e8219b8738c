// A new game as its host wants it, and the request that makes it.

import { FIRST_GAME } from "./coach.js";

/** @typedef {"me" | "here" | "friend" | string} Sitter at this device, by link, or a bot of that name */
/**
 * @typedef {object} Wish
 * @property {Sitter[]} seats @property {string} name of the player @property {Record<number, string>} [others] names of those at this device, by seat
 * @property {Record<string, unknown>} rules @property {number | null} seconds for a decision @property {boolean} isPrivate
 * @property {boolean} [advises] whether bots give advice
 */

export const CREW = "captain";

/** One player and three captains. @param {string} name @returns {Wish} */
export const playNow = (name) => ({ seats: ["me", CREW, CREW, CREW], name, rules: {}, seconds: null, isPrivate: true });

/** How many people there would be; null where the rules know no such table. @param {Sitter[]} seats */
export function peopleAt(seats) {
  const mine = seats.filter((seat) => seat === "me").length;
  const friends = seats.filter((seat) => seat === "friend").length;
  if (mine === 0) return null;
  if (seats.includes("here")) return mine === 1 ? seats.length : null;
  if (friends === 0) return mine === 1 ? seats.length : 1;
  if (mine === 1) return seats.length;
  return mine === 2 && friends === 2 && seats.length === 4 ? 2 : null;
}

const PEOPLE = ["me", "here", "friend"];

/**
 * Makes the table, sits down with whoever plays at this device, and starts where nobody is waited for.
 * @param {import("./api.js").Api} api @param {Wish} wish @returns {Promise<{ id: string, seat: Partial<import("./store.js").Seat> }>}
 */
export async function open(api, { seats, name, others = {}, rules, seconds, isPrivate, advises = true }) {
  const mine = seats.indexOf("me");
  const isHot = seats.includes("here");
  const waits = seats.includes("friend");
  const made = await api.send(
    "/v1/games",
    {
      seats: seats.map((seat) => (PEOPLE.includes(seat) ? "open" : seat)),
      rules: { ...rules, players: peopleAt(seats) },
      turn_seconds: seconds,
      visibility: isPrivate ? "private" : "public",
      advice: advises,
      join: { name, seat: mine },
      start: !waits && !isHot,
    },
    null,
  );
  const { id } = made.game;
  const seat = { host: made.token, token: made.player_token };
  if (!isHot) return { id, seat };
  /** @type {Record<string, string>} */
  const hot = { [mine]: made.player_token };
  for (const [at, sitter] of seats.entries()) {
    if (sitter === "here") hot[at] = (await api.send(`/v1/games/${id}/players`, { name: others[at], seat: at }, made.token)).token;
  }
  if (!waits) await api.send(`/v1/games/${id}/start`, {}, made.token);
  return { id, seat: { ...seat, hot } };
}

/** Makes a first game, with a coach. @param {import("./api.js").Api} api @param {string} name */
export async function openFirst(api, name) {
  const made = await api.send("/v1/games", { ...FIRST_GAME, join: { name, seat: 0 } }, null);
  return { id: made.game.id, seat: { host: made.token, token: made.player_token, coach: true } };
}
