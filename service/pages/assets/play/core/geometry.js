// Where rooms and hatches are in the board's picture, as the service tells it.

/** @typedef {{ rooms: Record<string, number[]>, hatches: Record<string, number[]> }} Geometry */

/** @param {any} layout one of `/v1/board` @returns {Geometry} */
export function geometryOf({ rooms, hatches, exterior_hatches: exterior }) {
  return {
    rooms: Object.fromEntries(rooms.map((/** @type {any} */ { room, rect }) => [room, [rect.x, rect.y, rect.width, rect.height]])),
    hatches: Object.fromEntries([...hatches, ...exterior].map(({ hatch, x, y }) => [hatch, [x, y]])),
  };
}

/** The hatches between two rooms: those that lead outside are nobody's to point at. @param {Geometry} geometry */
export const hatchesInside = ({ hatches }) => Object.keys(hatches).filter((hatch) => !hatch.includes("sea"));
