// A turn as it is put together: which actions there are, what was chosen, and the moves that come of it.

/** @typedef {{ type: string, cost?: number, chance?: number, text?: string, [field: string]: any }} Move */
/** @typedef {{ move: Move, minutes: number, chance: number | null, ghost: number, events: number[], items: number[] }} Option */
/** @typedef {{ item: string, held: number, bonus: number }} Help */
/** @typedef {{ key: string, type: string, on: string | number | null, options: Option[], helps: Help[] }} Action */

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

/**
 * The choices worth a look: every chance for its first minute, and the sure one, beyond which more minutes buy nothing.
 * @param {Option[]} options ascending
 */
export function telling(options) {
  /** @type {Option[]} */
  const kept = [];
  for (const option of options) {
    if (option.chance === null || option.chance !== kept.at(-1)?.chance) kept.push(option);
    if (option.chance === 1) break;
  }
  return kept;
}

/** What is chosen with an action, until another is: what is sure for the fewest minutes, else the most. @param {Option[]} options */
export const likeliest = (options) => /** @type {Option} */ (telling(options).at(-1));

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
    /** @type {Move[]} through hatches that the player chose one by one */
    this.prefix = [];
    /** @type {Move[]} from there to the room that was tapped */
    this.path = [];
    /** @type {string | null} the room that was tapped */
    this.room = null;
    /** @type {number} which of the ways there */
    this.way = 0;
    /** @type {string | null} the action's key */
    this.action = null;
    /** @type {Move | null} the action itself */
    this.move = null;
    /** @type {any[] | null} what each move comes to, of a plan that a bot has made */
    this.line = null;
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
    return [...used, ...this.prefix.map(bare), ...this.path.map(bare), ...(this.move ? [bare(this.move)] : [])];
  }

  get isEmpty() {
    return this.moves.length === 0;
  }

  /** Whether there is a step to take back. */
  get isStaged() {
    return !this.isEmpty || this.action !== null;
  }

  /** What was staged last goes first. */
  back() {
    if (this.line) return this.with({ line: null, path: [], move: null, room: null, action: null });
    if (this.action || this.move) return this.with({ action: null, move: null });
    if (this.path.length) return this.with({ path: [], room: null, way: 0 });
    if (this.prefix.length) return this.with({ prefix: this.prefix.slice(0, -2), room: null, way: 0 });
    return this.with({ items: [] });
  }
}
