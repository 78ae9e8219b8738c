// Where the gnome who decides can get to, and what can be done there, as the service tells it.

/** @typedef {import("contract").components["schemas"]} Schemas of the contract */
/** @typedef {import("./turn.js").Move} Move */
/** @typedef {import("./turn.js").Action} Action */
/**
 * @typedef {object} Way moves that lead into a room
 * @property {string[]} items that they use
 * @property {Move[]} path
 * @property {number} minutes
 * @property {number} ghost
 * @property {boolean} endsTurn
 * @property {any[]} certain
 * @property {{ events: number[], items: number[], ignored: number[] }} triggers
 * @property {Action[]} actions
 */
/** @typedef {{ room: string, ways: Way[] }} Goal a room that can be reached */

/** By room; of each room the ways that use fewest items come first. @param {Schemas["ReachedRoom"][]} rooms @returns {Map<string, Goal>} */
export function goalsOf(rooms) {
  return new Map(rooms.map(({ room, ways }) => {
    const told = ways.map(wayOf).sort((/** @type {Way} */ one, /** @type {Way} */ other) => one.items.length - other.items.length || one.minutes - other.minutes);
    return [String(room), { room: String(room), ways: told }];
  }));
}

/** @param {Schemas["ReachedRoom"]["ways"][number]} way @returns {Way} */
function wayOf({ items, moves, minutes, ghost, ends_turn: endsTurn, certain, triggers, actions }) {
  return { items, path: moves, minutes, ghost, endsTurn, certain, triggers, actions: actions.map(actionOf) };
}

/** The hatch or the gnome that a move is about. @param {any} move @returns {string | number | null} */
const onWhat = ({ hatch, with: other, seat }) => hatch ?? other ?? seat ?? null;

/** @param {Schemas["ReachedAction"]} task @returns {Action} */
function actionOf({ action, options, helps }) {
  const [{ move }] = options;
  const on = onWhat(move);
  return {
    key: [action, on].filter((part) => part != null).join(" "),
    type: action,
    on,
    helps,
    options: options.map((option) => ({
      move: option.move,
      minutes: option.move.cost ?? 0,
      chance: option.move.chance ?? null,
      ghost: option.ghost,
      events: option.triggers.events,
      items: option.triggers.items,
    })),
  };
}

/**
 * The rooms of a path, from where it begins.
 * @param {string} from @param {Move[]} path @param {string | number | null} [behind] the hatch that is open already
 */
export function roomsOn(from, path, behind = null) {
  const rooms = [String(from)];
  let ahead = String(behind ?? from);
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
