// A turn as it is put together: which actions there are, what was chosen, and the moves that come of it.

/** @typedef {{ type: string, cost?: number, chance?: number, text?: string, [field: string]: any }} Move */
/** @typedef {{ move: Move, minutes: number, chance: number | null }} Option */
/** @typedef {{ key: string, type: string, on: string | number | null, options: Option[] }} Action */

const STEPS = ["open_hatch", "enter", "stay", "use_item"];
const GRAVE = ["attack_gnome", "abandon_comrades"];
const COMMENTS = ["cost", "chance", "text"];

/** A move as it is sent. @param {Move} move @returns {Move} */
export function bare(move) {
  return /** @type {Move} */ (Object.fromEntries(Object.entries(move).filter(([name]) => !COMMENTS.includes(name))));
}

/** @param {Move} one @param {Move} other */
export const isSame = (one, other) => JSON.stringify(sorted(bare(one))) === JSON.stringify(sorted(bare(other)));

/** @param {Move} move */
const sorted = (move) => Object.entries(move).sort();

/** What an action is aimed at, if there are several: a hatch, another gnome. @param {Move} move */
const aim = (move) => move.hatch ?? move.with ?? move.seat ?? null;

/** The actions among legal moves, each with its choices of minutes or cards. @param {Move[]} legal @returns {Action[]} */
export function actionsOf(legal) {
  /** @type {Map<string, Action>} */
  const actions = new Map();
  for (const move of legal) {
    if (STEPS.includes(move.type)) continue;
    const on = aim(move);
    const key = [move.type, on].filter((part) => part != null).join(" ");
    if (!actions.has(key)) actions.set(key, { key, type: move.type, on, options: [] });
    actions.get(key)?.options.push({ move, minutes: move.cost ?? 0, chance: move.chance ?? null });
  }
  return [...actions.values()];
}

/**
 * The choices worth a look: the first minute of each chance, the sure one, and each that meets one icon more or less.
 * @param {Option[]} options ascending @param {(option: Option) => number} icons how many it meets
 */
export function telling(options, icons = () => 0) {
  const kept = [];
  let last = null;
  for (const option of options) {
    const here = { chance: option.chance, icons: icons(option) };
    const isSurer = last === null || here.chance !== last.chance || option.chance === null;
    if (isSurer || here.icons < last.icons) kept.push(option);
    last = here;
    if (option.chance === 1) break; // more minutes buy nothing
  }
  return kept;
}

/** The items of a hand that can be used now. @param {Move[]} legal @returns {string[]} */
export const usable = (legal) => legal.filter(({ type }) => type === "use_item").map(({ item }) => item);

/** Whether a move ends a gnome, a friendship or a boat: it is held, not tapped. @param {Move} move @param {boolean} burns */
export const isGrave = (move, burns = false) => GRAVE.includes(move.type) || (burns && move.type === "no_action");

/** What is staged, of one version of the game. */
export class Plan {
  /** @param {number} version @param {Partial<Plan>} [staged] */
  constructor(version, staged = {}) {
    this.version = version;
    /** @type {string[]} */
    this.items = [];
    /** @type {Move[]} */
    this.path = [];
    /** @type {string | number | null} the room that was tapped */
    this.room = null;
    /** @type {string | null} the action's key */
    this.action = null;
    /** @type {Move | null} the action itself */
    this.move = null;
    Object.assign(this, staged);
  }

  /** @param {Partial<Plan>} staged */
  with(staged) {
    return new Plan(this.version, { ...this, ...staged });
  }

  /** Uses an item, or takes that back; `most` are in the hand. @param {string} item @param {number} most */
  toggle(item, most) {
    const used = this.items.filter((each) => each === item).length;
    const others = this.items.filter((each) => each !== item);
    const next = used < most ? used + 1 : 0;
    return this.with({ items: [...others, ...Array(next).fill(item)] });
  }

  /** In the order in which they are played. @returns {Move[]} */
  get moves() {
    const used = this.items.map((item) => ({ type: "use_item", item }));
    return [...used, ...this.path.map(bare), ...(this.move ? [bare(this.move)] : [])];
  }

  get isEmpty() {
    return this.moves.length === 0;
  }

  /** What was staged last goes first. */
  back() {
    if (this.move) return this.with({ move: null });
    if (this.action) return this.with({ action: null });
    if (this.path.length) return this.with({ path: [], room: null });
    return this.with({ items: [] });
  }
}
