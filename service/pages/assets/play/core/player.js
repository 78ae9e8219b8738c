// A player at a table: what they have staged, and what they do.

import { advise, stepsOf, totalOf } from "./advice.js";
import { Refused } from "./api.js";
import { minutesOf, summed } from "./foresight.js";
import { Mate } from "./mate.js";
import { goalsOf, roomsOn } from "./reach.js";
import { bare, isGrave, isSame, likeliest, Plan, usable } from "./turn.js";

const MOVING = ["movement", "hatch"]; // decisions about where to go and what to do
const OVERTAKEN = ["version_conflict", "not_your_turn", "bot_plays", "game_over", "illegal_move"];

/** @typedef {import("contract").components["schemas"]} Schemas of the contract */
/** @typedef {import("./turn.js").Move} Move */
/** @typedef {import("./turn.js").Action} Action */
/** @typedef {import("./turn.js").Option} Option */

export class Player extends Mate {
  /** @param {ConstructorParameters<typeof Mate>[0]} given */
  constructor(given) {
    super(given);
    this.plan = new Plan(0);
    /** @type {Map<string, import("./reach.js").Goal>} */
    this.goals = new Map();
    /** @type {Schemas["Preview"][]} what the items and hatches that are staged first come to */
    this.before = [];
    /** @type {Move[]} hatches that can be opened from there */
    this.openings = [];
    /** @type {import("./advice.js").Advised[] | "asking" | null} */
    this.advice = null;
    /** @type {import("./advice.js").Advised | null} the player's own plan, as a bot weighs it */
    this.own = null;
    this.isBusy = false;
    /** @type {object | null} what is being asked for */
    this.looking = null;
    this.isSendingAgain = false;
  }

  /** @returns {Promise<void>} */
  prepare() {
    const { state } = this.session;
    if (!this.plan.isEmpty && this.plan.version !== state.version && this.plan.version !== this.played) this.notice = "plan_died";
    this.plan = new Plan(state.version);
    this.advice = this.own = null;
    this.problem = null;
    Object.assign(this, { goals: new Map(), before: [], openings: [] });
    if (this.session.isMine && this.isMoving) return this.look(this.plan.with({ room: this.here }));
    return Promise.resolve();
  }

  /** Asks where the gnome can get to with the items that are staged, and stages as much as still can be. @param {Plan} plan */
  async look(plan) {
    const until = this.plan;
    const looked = (this.looking = {});
    this.plan = plan;
    try {
      const first = [...plan.items.map((item) => ({ type: "use_item", item })), ...plan.prefix.map(bare)];
      const { rooms, previews, game } = await this.session.reach(first, plan.version);
      if (this.looking !== looked || this.plan.version !== plan.version) return;
      this.goals = goalsOf(rooms);
      this.before = previews;
      this.openings = game.legal_moves.filter((/** @type {Move} */ { type }) => type === "open_hatch");
      this.plan = this.fitted(this.plan); // what was tapped meanwhile is kept
    } catch (error) {
      if (this.looking !== looked || this.plan.version !== plan.version) return;
      this.problem = /** @type {Error} */ (error).message;
      this.plan = until;
    } finally {
      if (this.looking === looked) this.looking = null;
    }
    this.redraw();
  }

  /** The same wish, of what can be reached now. @param {Plan} plan */
  fitted(plan) {
    const goal = this.goals.get(plan.room ?? this.here);
    if (!goal || plan.room == null) return plan.with({ room: this.here, way: 0, path: [], action: null, move: null });
    const way = goal.ways[plan.way] ?? goal.ways[0];
    const action = way.actions.find(({ key }) => key === plan.action);
    const option = action?.options.find(({ move }) => plan.move && isSame(move, plan.move));
    return plan.with({ room: goal.room, path: way.path, action: action?.key ?? null, move: option?.move ?? null });
  }

  // What is staged

  get isMoving() {
    return MOVING.includes(this.session.state?.decision?.kind ?? "");
  }

  get isLooking() {
    return this.looking !== null;
  }

  /** Whether the player can stage something now. */
  get isAsking() {
    return this.isPresent && this.session.isMine && !this.isBusy && !this.isLooking && (!this.isMoving || this.goals.size > 0);
  }

  /** The room where the gnome stands. */
  get start() {
    const { state, decision } = this.session;
    return String(state.gnomes[decision.seat].room);
  }

  /** The room from which the way goes on, behind the hatches that were chosen. */
  get here() {
    return /** @type {string} */ (this.along(this.plan.prefix).at(-1));
  }

  /** All rooms of the staged way. */
  get rooms() {
    return this.along([...this.plan.prefix, ...this.plan.path]);
  }

  /** The rooms that moves lead through, from where the gnome stands. @param {Move[]} moves */
  along(moves) {
    return roomsOn(this.start, moves, this.session.state.pending?.open_hatch_to);
  }

  get usable() {
    return usable(this.session.state.legal_moves);
  }

  get goal() {
    return this.goals.get(this.plan.room ?? "");
  }

  get way() {
    return this.goal?.ways[this.plan.way] ?? this.goal?.ways[0];
  }

  get action() {
    return this.way?.actions.find(({ key }) => key === this.plan.action) ?? null;
  }

  get option() {
    return this.action?.options.find(({ move }) => move === this.plan.move) ?? null;
  }

  /** What is staged comes to this. */
  get sum() {
    const { way } = this;
    if (this.plan.line) return totalOf(this.plan.line);
    return this.isMoving && way && !this.isOpeningOnly ? summed(way, this.option, this.before) : null;
  }

  /** Whether a hatch is to be opened, and nothing else to be settled yet. */
  get isOpeningOnly() {
    return this.plan.path.at(-1)?.type === "open_hatch";
  }

  get isGrave() {
    const { move, room } = this.plan;
    const { decision, state: { rooms } } = this.session;
    const dies = this.sum?.effects.some(({ type, seat }) => type === "gnome_died" && seat === decision.seat);
    return Boolean(dies || (move && isGrave(move, Boolean(rooms[String(room)]?.fire))));
  }

  /** Minutes of what is staged before the way to the room that was tapped. */
  get minutesBefore() {
    return minutesOf(this.before);
  }

  /** @param {Plan} plan */
  stage(plan) {
    this.plan = plan;
    this.notice = "";
    this.problem = null;
    this.redraw();
  }

  /** Another tap on the same room takes another way there. @param {string} room */
  tapRoom(room) {
    const goal = this.goals.get(room);
    if (!goal) return;
    const way = this.plan.room === room ? (this.plan.way + 1) % goal.ways.length : 0;
    this.stage(this.plan.with({ line: null, room, way, path: goal.ways[way].path, action: null, move: null }));
  }

  /** Opens a hatch and no more; once more, goes through it. @param {Move} move */
  tapHatch(move) {
    const [staged] = this.plan.path;
    if (!this.isOpeningOnly || staged.to !== move.to) return this.stage(this.plan.with({ line: null, room: this.here, way: 0, path: [move], action: null, move: null }));
    return this.goThrough();
  }

  /** Takes the way through the hatch that is staged. */
  goThrough() {
    const [opening] = this.plan.path;
    const prefix = [...this.plan.prefix, opening, { type: "enter" }];
    this.problem = null;
    return this.look(this.plan.with({ prefix, path: [], room: String(opening.to), way: 0, action: null, move: null }));
  }

  /** @param {Action} action */
  tapAction(action) {
    this.leaveAdvice();
    if (this.plan.action === action.key) return this.stage(this.plan.with({ action: null, move: null }));
    return this.stage(this.doing(action, likeliest(action.options)));
  }

  /** @param {Action} action @param {Option} option */
  tapOption(action, option) {
    this.leaveAdvice();
    this.stage(this.doing(action, option));
  }

  /** An action at the end of the way; a hatch that was only to be opened stays shut. @param {Action} action @param {Option} option */
  doing(action, option) {
    return this.plan.with({ path: this.way?.path ?? [], action: action.key, move: option.move });
  }

  /** @param {string} item @param {number} most */
  toggle(item, most) {
    this.notice = "";
    this.problem = null;
    this.leaveAdvice();
    this.look(this.plan.toggle(item, most));
  }

  /** @param {Move} move */
  choose(move) {
    this.stage(new Plan(this.plan.version, { move }));
  }

  back() {
    const plan = this.plan.back();
    if (!this.isMoving) return this.stage(plan);
    const home = plan.room == null ? plan.with({ room: this.here }) : plan;
    const isNear = plan.items.length === this.plan.items.length && plan.prefix.length === this.plan.prefix.length;
    return isNear ? this.stage(this.fitted(home)) : void this.look(home.with({ room: null }));
  }

  /** What a bot has staged goes where the player chooses otherwise. */
  leaveAdvice() {
    if (this.plan.line) this.plan = this.plan.with({ line: null, path: this.way?.path ?? [], move: null });
  }

  /** Asks a bot, which is never done unasked; what is staged is weighed beside its plans. */
  async seekAdvice() {
    const { version, moves } = this.plan;
    this.advice = "asking";
    this.own = null;
    this.redraw();
    try {
      const { plans, own } = await advise(this.session, moves.length ? { moves, version } : undefined);
      if (this.plan.version === version) Object.assign(this, { advice: plans, own });
    } catch (error) {
      this.advice = null;
      this.problem = /** @type {Error} */ (error).message;
    }
    this.redraw();
  }

  /** Stages what a bot would do. @param {import("./advice.js").Advised} advised */
  use(advised) {
    const { path, move } = stepsOf(advised);
    const room = this.isMoving ? (this.along(path).at(-1) ?? this.start) : null;
    this.stage(new Plan(this.plan.version, { path, move, room, line: advised.line }));
  }

  /** Does what is staged. */
  async act() {
    if (this.isBusy || this.isLooking || this.plan.isEmpty) return;
    this.isBusy = true;
    this.played = this.plan.version;
    this.redraw();
    try {
      await this.session.play(this.plan.moves, this.plan.version, (again) => {
        this.isSendingAgain = again;
        this.redraw();
      });
      if (this.plan.version === this.played) this.plan = new Plan(this.played); // it is done; what follows is staged anew
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
      if (error instanceof Refused && OVERTAKEN.includes(error.code)) await this.overtaken();
    }
    this.isBusy = false;
    this.isSendingAgain = false;
    this.redraw();
  }

  /** The next player at this device looks. */
  async liftCurtain() {
    await this.session.pass();
    this.reached = -1;
    await this.reach();
  }

  async overtaken() {
    const why = this.problem;
    await this.session.learn();
    this.reached = -1;
    await this.reach();
    this.problem = why;
  }
}
