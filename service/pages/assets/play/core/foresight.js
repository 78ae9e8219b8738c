// What a staged turn comes to: its minutes, the icons that it meets, and what it does on the way.

/** @typedef {import("./turn.js").Option} Option */
/** @typedef {import("./reach.js").Way} Way */

const EFFECTS = new Set([
  "fire_went_out", "water_flowed", "room_flooded", "gnome_died", "gnome_woke", "gnome_fainted", "track_reset", "token_removed", "game_over",
]);

/** @param {Way} way @param {Option | null} option @param {any[]} before what the moves before that way come to, as previewed */
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

/** @param {any[]} previews */
export const minutesOf = (previews) => previews.reduce((sum, { cost }) => sum + cost, 0);
