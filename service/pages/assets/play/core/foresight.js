// What a staged turn would cost and bring, as far as it can be said before the service is asked.

/** @typedef {import("./turn.js").Option} Option */

const ICONS_A_CHARM = 3;

/** The icons that a Time Keeper meets on the way. @param {any} rules @param {number} from @param {number} to @param {number} charms */
export function met(rules, from, to, charms = 0) {
  const { events, items } = rules.time_track;
  const isPassed = (/** @type {number} */ minute) => minute < from && minute >= to;
  return { events: events.filter(isPassed).slice(ICONS_A_CHARM * charms), items: items.filter(isPassed) };
}

/** What an action's minutes would come to, with the items that are staged. @param {any} state @param {any} rules @param {import("./turn.js").Plan} plan @param {number} before minutes of the way @param {Option} option */
export function outlook(state, rules, plan, before, option) {
  const gnome = state.gnomes[state.active];
  const bonus = plan.items.reduce((sum, item) => sum + bonusOf(rules, item, option.move.type), 0);
  const chance = option.chance == null ? null : Math.min(1, Math.round(10 * option.chance + bonus) / 10);
  const charms = plan.items.filter((item) => item === "lucky_charm").length;
  const ghost = state.ghost - before - option.minutes;
  return { chance, ghost, ...met(rules, gnome.minutes, ghost, charms) };
}

/** @param {any} rules @param {string} item @param {string} action */
export function bonusOf(rules, item, action) {
  return rules.items.find((/** @type {any} */ each) => each.item === item)?.bonus[action] ?? 0;
}

/** All that previews tell of a staged turn, in one. @param {any[]} previews */
export function summed(previews) {
  const last = previews.at(-1);
  if (!last) return null;
  const minutes = previews.reduce((sum, { cost }) => sum + cost, 0);
  const effects = previews.flatMap(({ certain }) => certain).filter(({ type }) => EFFECTS.has(type));
  return { minutes, chance: last.chance ?? null, ghost: last.ghost, events: last.triggers.events, items: last.triggers.items, effects };
}

const EFFECTS = new Set(["fire_went_out", "water_flowed", "room_flooded", "water_pumped", "gnome_died", "gnome_woke", "track_reset", "token_removed", "game_over"]);
