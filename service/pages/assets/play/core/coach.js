// A first game: where it begins, and what its three lessons ask for. Who does otherwise is let go on.

/**
 * @typedef {object} Lesson a turn that shows something
 * @property {string | null} item used first
 * @property {string} room
 * @property {string} action
 */

/** @type {Lesson[]} */
export const LESSONS = [
  { item: null, room: "1", action: "fix_engine" },
  { item: "fire_extinguisher", room: "3", action: "extinguish_fire" },
  { item: null, room: "8", action: "draw_items" },
];

const LATER = 30; // minutes that the others have left: the first turns are the player's

/** The dice and cards of the first turns are fixed, so that they go well; from then on chance has it. */
export const POSITION = {
  rules: { gnomes: 3 },
  gnomes: [
    { room: 2, minutes: 60, items: { fire_extinguisher: 1, engine_manual: 1 } },
    { room: 7, minutes: LATER, items: { toolbox: 1, grog: 1 } },
    { room: 9, minutes: LATER, items: { water_pump: 1, crowbar: 1 } },
  ],
  rooms: { 3: { fire: true } },
  tracks: { asphyxiation: 2, heat: 1, pressure: 8 },
  active: 0,
  script: {
    dice: [1, 1],
    events: ["reactor_warmup/1", "respite/1", "respite/2", "respite/3", "descent/3", "respite/4", "reactor_warmup/2", "respite/1"],
  },
};

export const FIRST_GAME = { seats: ["open", "captain", "captain"], position: POSITION, visibility: "private", start: true };

/**
 * Which lesson it is, and its next step; null after the last.
 * @param {import("./playback.js").Event[]} events @param {number} seat @param {import("./turn.js").Plan} plan
 */
export function lessonOf(events, seat, plan) {
  const at = events.filter((event) => event.type === "turn_began" && event.seat === seat).length; // a position tells no first
  const lesson = LESSONS[at];
  if (!lesson) return null;
  const { item, room, action } = lesson;
  if (item && !plan.items.includes(item)) return { at, step: "item", target: item };
  if (plan.room !== room) return { at, step: "room", target: room };
  if (plan.action !== action) return { at, step: "action", target: action };
  return { at, step: "do", target: "" };
}
