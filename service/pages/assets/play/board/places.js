// Where things are on the board, in the units of its picture.

/** @typedef {import("../core/geometry.js").Geometry} Geometry */
/** @typedef {{ x: number, y: number }} Point */

import { hatchBetween } from "../core/reach.js";

/** @param {Geometry} geometry @param {string} room @returns {Point} */
export function middleOf({ rooms }, room) {
  const [x, y, wide, high] = rooms[room];
  return { x: x + wide / 2, y: y + high * 0.62 };
}

/** A way through hatches, as the points that it leads over. @param {Geometry} geometry @param {string[]} rooms @returns {Point[]} */
export function wayThrough(geometry, rooms) {
  return rooms.flatMap((room, at) => {
    const before = rooms[at - 1];
    const door = before === undefined ? null : geometry.hatches[hatchBetween(before, room)];
    return [...(door ? [{ x: door[0], y: door[1] }] : []), middleOf(geometry, room)];
  });
}

/** Where along a way one is after a share of it. @param {Point[]} way @param {number} share @returns {Point} */
export function along(way, share) {
  const steps = way.slice(1).map(({ x, y }, at) => Math.hypot(x - way[at].x, y - way[at].y));
  let left = share * steps.reduce((sum, step) => sum + step, 0);
  for (const [at, step] of steps.entries()) {
    if (left <= step && step > 0) {
      const [from, to] = [way[at], way[at + 1]];
      return { x: from.x + ((to.x - from.x) * left) / step, y: from.y + ((to.y - from.y) * left) / step };
    }
    left -= step;
  }
  return /** @type {Point} */ (way.at(-1));
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEAST = 0.35; // of the way must go in the arrow's direction

/** The room behind a hatch in the direction of an arrow key; null if there is none. @param {Geometry} geometry @param {string} room @param {string} key */
export function neighbour(geometry, room, key) {
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (key)];
  if (!arrow) return null;
  const here = middleOf(geometry, room);
  let best = null;
  let most = LEAST;
  for (const hatch of Object.keys(geometry.hatches)) {
    const ends = hatch.split("-");
    if (!ends.includes(room)) continue;
    const other = ends[0] === room ? ends[1] : ends[0];
    const there = middleOf(geometry, other);
    const [x, y] = [there.x - here.x, there.y - here.y];
    const ahead = (x * arrow[0] + y * arrow[1]) / Math.hypot(x, y);
    if (ahead > most) [best, most] = [other, ahead];
  }
  return best;
}
