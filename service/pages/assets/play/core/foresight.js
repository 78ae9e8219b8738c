// What a staged turn comes to: its minutes, the icons that it meets, and what it does on the way.

/** @typedef {import("./turn.js").Option} Option */
/** @typedef {import("./reach.js").Way} Way */

const EFFECTS = new Set([
  "fire_went_out", "water_flowed", "room_flooded", "gnome_died", "gnome_woke", "gnome_fainted", "track_reset", "token_removed", "game_over",
]);

/** @param {Way} way @param {Option | null} option */
export function summed(way, option) {
  const { ghost, events, items } = option ?? { ghost: way.ghost, ...way.triggers };
  return {
    minutes: way.minutes + (option?.minutes ?? 0),
    chance: option?.chance ?? null,
    ghost,
    events,
    items,
    effects: way.certain.filter(({ type }) => EFFECTS.has(type)),
  };
}
