// Where rooms and hatches are in the board's picture, as the service tells it.

/** @typedef {{ rooms: Record<string, number[]>, hatches: Record<string, number[]>, spaces: Record<string, number[]> }} Geometry `spaces` are those of the time track */

/** @param {any} layout one of `/v1/board` @returns {Geometry} */
export function geometryOf({ rooms, hatches, exterior_hatches: exterior, time_track: track }) {
  const box = (/** @type {any} */ { x, y, width, height }) => [x, y, width, height];
  return {
    rooms: Object.fromEntries(rooms.map((/** @type {any} */ { room, rect }) => [room, box(rect)])),
    spaces: Object.fromEntries(track.map((/** @type {any} */ { minute, rect }) => [minute, box(rect)])),
    hatches: Object.fromEntries([...hatches, ...exterior].map(({ hatch, x, y }) => [hatch, [x, y]])),
  };
}

/** The hatches between two rooms: those that lead outside are nobody's to point at. @param {Geometry} geometry */
export const hatchesInside = ({ hatches }) => Object.keys(hatches).filter((hatch) => !hatch.includes("sea"));
