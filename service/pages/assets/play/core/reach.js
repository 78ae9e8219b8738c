// Where the gnome who decides can get to, and what can be done there.

import { actionsOf } from "./turn.js";

/** @typedef {import("./turn.js").Move} Move */
/** @typedef {import("./turn.js").Action} Action */
/**
 * @typedef {object} Goal a room that can be reached
 * @property {string} room
 * @property {Move[]} path
 * @property {number} minutes
 * @property {Action[]} actions
 */

/** By room, from the moves that are legal here: this room, and what is behind its hatches. @param {any} state @returns {Map<string, Goal>} */
export function nextDoors(state) {
  const { decision, legal_moves: legal, gnomes } = state;
  const here = String(gnomes[decision.seat].room);
  const goals = new Map([[here, { room: here, path: [], minutes: 0, actions: actionsOf(legal) }]]);
  for (const move of legal) {
    if (move.type !== "open_hatch") continue;
    const room = String(move.to);
    goals.set(room, { room, path: [move, { type: "enter" }], minutes: move.cost ?? 0, actions: [] });
  }
  return goals;
}

/** The rooms of a path, from where it begins. @param {string} from @param {Move[]} path */
export function roomsOn(from, path) {
  const rooms = [String(from)];
  let ahead = String(from);
  for (const move of path) {
    if (move.type === "open_hatch") ahead = String(move.to);
    if (move.type === "enter") rooms.push(ahead);
  }
  return rooms;
}

/** The name of the hatch between two rooms, as the state has it. @param {string} one @param {string} other */
export function hatchBetween(one, other) {
  if (other === "sea" || one === "sea") return `${one === "sea" ? other : one}-sea`;
  return [Number(one), Number(other)].sort((a, b) => a - b).join("-");
}
