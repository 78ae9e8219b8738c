// What a staged turn comes to: its minutes, the icons that it meets, and what it does on the way.

/** @typedef {import("./turn.js").Option} Option */
/** @typedef {import("./reach.js").Way} Way */

const EFFECTS = new Set([
  "fire_went_out", "water_reflowed", "room_flooded", "gnome_died", "gnome_woke", "gnome_fainted", "track_reset", "token_removed", "game_over",
]);

/** @param {Way} way @param {Option | null} option @param {import("contract").components["schemas"]["Preview"][]} before what the moves before that way come to, as previewed */
export function summed(way, option, before = []) {
  const { ghost, events, items } = option ?? { ghost: way.ghost, ...way.triggers };
  return {
    minutes: minutesOf(before) + way.minutes + (option?.minutes ?? 0),
    chance: option?.chance ?? null,
    ghost,
    events,
    items,
    effects: [...before.flatMap(({ certain }) => certain), ...way.certain].filter(({ type }) => EFFECTS.has(type)),
  };
}

/** @typedef {{ kind: "pours" | "floods" | "quenched", room: string, to?: string }} Mark */

const MARKED = /** @type {Record<string, Mark["kind"]>} */ ({ water_reflowed: "pours", fire_went_out: "quenched", room_flooded: "floods" });

/**
 * What a staged turn does to rooms, for the board: water that pours from one into another, fire that goes out.
 * @param {{ effects: any[] }} sum @returns {Mark[]}
 */
export function marksOf({ effects }) {
  const marked = effects.filter(({ type }) => type in MARKED);
  return marked.map(({ type, room, to }) => ({ kind: MARKED[type], room: String(room), to: to === undefined ? to : String(to) }));
}

const RELIEVES = /** @type {Record<string, string>} */ ({ fix_engine: "pressure", fix_oxygen_pumps: "asphyxiation", fix_reactor: "heat" });

/** The track that an action moves back, if it succeeds. @param {string | undefined} action */
export const relieves = (action) => (action ? (RELIEVES[action] ?? null) : null);

/** @param {import("contract").components["schemas"]["Preview"][]} previews */
export const minutesOf = (previews) => previews.reduce((sum, { cost }) => sum + cost, 0);
