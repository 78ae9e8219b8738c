// A player at a table: what is shown to them, what they have staged, and what they do. Knows no page: it is told how to draw.

import { Refused } from "./api.js";
import { summed } from "./foresight.js";
import { lengthOf, Playback, walkOf } from "./playback.js";
import { goalsOf } from "./reach.js";
import { Session } from "./session.js";
import { isGrave, isSame, Plan, usable } from "./turn.js";

const REPLAYED = 14; // turns that are shown to whoever comes back; more are left out
const WALK = 0.5; // of a scene's time
const MOVING = ["movement", "hatch"]; // decisions about where to go and what to do
const OVERTAKEN = ["version_conflict", "not_your_turn", "bot_plays", "game_over", "illegal_move"];

/** @typedef {import("./playback.js").Scene} Scene */
/** @typedef {import("./turn.js").Move} Move */
/** @typedef {import("./turn.js").Action} Action */
/** @typedef {import("./turn.js").Option} Option */

export class Player {
  /**
   * @param {object} given
   * @param {import("./api.js").Api} given.api @param {import("./store.js").Store} given.store @param {string} given.game
   * @param {() => void} given.redraw @param {() => "light" | "dark"} given.theme @param {() => boolean} given.isStill nothing shall move
   * @param {(scene: Scene) => void} given.told a scene has been shown @param {() => void} given.asked the player must decide
   */
  constructor({ api, store, game, redraw, theme, isStill, told, asked }) {
    Object.assign(this, { api, store, game, redraw, theme, isStill, told, asked });
    /** @type {any} */
    this.rules = null;
    /** @type {any} what is seen */
    this.state = null;
    /** @type {string | null} */
    this.svg = null;
    this.seen = 0; // the last event that was shown
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{ seat: number, rooms: string[], ms: number } | null} */
    this.walk = null;
    this.plan = new Plan(0);
    /** @type {Map<string, import("./reach.js").Goal>} */
    this.goals = new Map();
    this.isBusy = false;
    this.isSendingAgain = false;
    /** @type {string | null} a key of the texts, or what the service said */
    this.problem = null;
    this.notice = "";
    this.speed = Number(store.likes().speed ?? 1);
    this.askedAt = -1;
    this.session = new Session(api, game, {
      token: store.seat(game)?.token ?? null,
      changed: (events) => this.changed(events),
      lineChanged: () => redraw(),
      noSeat: () => {
        store.forget(game);
        this.notice = "no_seat";
        redraw();
      },
    });
    this.playback = new Playback((scene) => this.show(scene), () => this.reach());
  }

  async begin() {
    this.rules = await this.api.get(`/v1/rules?lang=${this.api.lang}`);
    await this.session.begin();
  }

  // What is seen

  get isPresent() {
    return !this.playback.behind && this.state?.version === this.session.state?.version;
  }

  /** @param {import("./playback.js").Event[]} events */
  changed(events) {
    if (!this.state) return this.enter();
    if (this.isStill()) {
      this.playback.skip();
      if (events.length) this.told({ seat: null, turn: null, version: 0, seq: 0, events });
      return this.playback.isRunning ? undefined : this.reach();
    }
    return this.playback.add(events);
  }

  /** Opens the board where this browser left it, if that is not long ago. */
  async enter() {
    const { events, state } = this.session;
    const left = this.store.seat(this.game)?.seen ?? 0;
    const missed = events.filter(({ seq }) => seq > left);
    const turns = missed.filter(({ type }) => type === "turn_began").length;
    const isShort = this.session.token && missed.length && turns <= REPLAYED && !this.isStill() && state.status !== "waiting";
    if (!isShort) return this.reach();
    await this.see(Math.max(1, missed[0].version - 1));
    return this.playback.add(missed);
  }

  /** What happened since the player's last turn, once more. */
  async again() {
    const { events, state } = this.session;
    const mine = events.filter(({ type, seat }) => type === "turn_began" && state.you.seats.includes(seat));
    const since = mine.filter(({ turn }) => turn < state.turn).at(-1);
    const missed = events.filter(({ seq }) => seq >= (since?.seq ?? 0));
    await this.see(Math.max(1, (missed[0]?.version ?? 2) - 1));
    this.playback.add(missed);
    this.redraw();
  }

  /** @param {number} version */
  async see(version) {
    const { path, token, state } = this.session;
    const [shown, svg] = await Promise.all([
      version === state.version ? state : this.api.get(`${path}?version=${version}`, token),
      this.session.board(version, this.theme()),
    ]);
    this.state = shown;
    this.svg = svg;
  }

  /** @param {Scene} scene */
  async show(scene) {
    const length = lengthOf(scene, this.speed);
    const rooms = walkOf(scene);
    const began = Date.now();
    this.scene = scene;
    this.walk = rooms.length > 1 && scene.seat != null ? { seat: scene.seat, rooms, ms: WALK * length } : null;
    this.redraw();
    const fetched = this.see(scene.version);
    if (this.walk) await this.pause(WALK * length);
    try {
      await fetched;
    } catch (error) {
      console.info("not shown:", String(error)); // the next scene shows more
    }
    this.walk = null;
    this.seen = scene.seq;
    this.told(scene);
    this.redraw();
    await this.pause(length - (Date.now() - began));
  }

  /** Waits, unless what is left is skipped. @param {number} ms */
  pause(ms) {
    return new Promise((done) => {
      this.hurry = () => done(undefined);
      setTimeout(this.hurry, Math.max(0, ms));
    });
  }

  skip() {
    this.playback.skip();
    this.hurry?.();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.store.like({ speed });
    this.redraw();
  }

  /** The present: now the player may act. */
  async reach() {
    const { state, seq } = this.session;
    if (this.reached === state.version && this.state?.version === state.version) return this.redraw();
    this.reached = state.version;
    await this.see(state.version).catch((error) => (this.problem = String(error.message)));
    this.seen = seq;
    if (this.session.token) this.store.keep(this.game, { seen: seq, name: state.name });
    if (this.session.state !== state) return void this.changed([]);
    await this.prepare();
    this.redraw();
    if (this.session.isMine && this.askedAt !== state.version) {
      this.askedAt = state.version;
      this.asked();
    }
  }

  /** Draws the board anew: the theme has changed. */
  async repaint() {
    if (!this.state) return;
    this.svg = await this.session.board(this.state.version, this.theme());
    this.redraw();
  }

  /** @returns {Promise<void>} */
  prepare() {
    const { state } = this.session;
    if (!this.plan.isEmpty && this.plan.version !== state.version && this.plan.version !== this.played) this.notice = "plan_died";
    this.plan = new Plan(state.version);
    this.problem = null;
    this.goals = new Map();
    if (this.session.isMine && this.isMoving) return this.look(this.plan.with({ room: this.here }));
    return Promise.resolve();
  }

  /** Asks where the gnome can get to with the items that are staged, and stages as much as still can be. @param {Plan} plan */
  async look(plan) {
    this.plan = plan;
    try {
      const rooms = await this.session.reach(plan.items.map((item) => ({ type: "use_item", item })), plan.version);
      if (this.plan !== plan) return;
      this.goals = goalsOf(rooms);
      this.plan = this.fitted(plan);
    } catch (error) {
      if (this.plan !== plan) return;
      this.problem = /** @type {Error} */ (error).message;
      if (plan.items.length) this.plan = plan.with({ items: plan.items.slice(0, -1) });
    }
    this.redraw();
  }

  /** The same wish, of what can be reached now. @param {Plan} plan */
  fitted(plan) {
    const goal = this.goals.get(plan.room ?? this.here);
    if (!goal) return plan.with({ room: this.here, way: 0, path: [], action: null, move: null });
    const way = goal.ways[plan.way] ?? goal.ways[0];
    const action = way.actions.find(({ key }) => key === plan.action);
    const option = action?.options.find(({ move }) => plan.move && isSame(move, plan.move));
    return plan.with({ room: goal.room, path: way.path, action: action?.key ?? null, move: option?.move ?? null });
  }

  // What is staged

  get isMoving() {
    return MOVING.includes(this.session.state?.decision?.kind);
  }

  get here() {
    const { gnomes, decision } = this.session.state;
    return String(gnomes[decision.seat].room);
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
    return this.isMoving && way && !this.isOpeningOnly ? summed(way, this.option) : null;
  }

  /** Whether a hatch is to be opened, and nothing else to be settled yet. */
  get isOpeningOnly() {
    return this.plan.path.at(-1)?.type === "open_hatch";
  }

  get isGrave() {
    const room = this.session.state.rooms[String(this.plan.room)];
    return Boolean(this.plan.move && isGrave(this.plan.move, Boolean(room?.fire)));
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
    this.stage(this.plan.with({ room, way, path: goal.ways[way].path, action: null, move: null }));
  }

  /** @param {Move} move */
  openOnly(move) {
    this.stage(this.plan.with({ room: this.here, way: 0, path: [move], action: null, move: null }));
  }

  /** @param {Action} action */
  tapAction(action) {
    if (this.plan.action === action.key) return this.stage(this.plan.with({ action: null, move: null }));
    const only = action.options.length === 1 ? action.options[0].move : null;
    return this.stage(this.plan.with({ action: action.key, move: only }));
  }

  /** @param {Action} action @param {Option} option */
  tapOption(action, option) {
    this.stage(this.plan.with({ action: action.key, move: this.plan.move === option.move ? null : option.move }));
  }

  /** @param {string} item @param {number} most */
  toggle(item, most) {
    this.notice = "";
    this.problem = null;
    this.look(this.plan.toggle(item, most));
  }

  /** @param {Move} move */
  choose(move) {
    this.stage(this.plan.with({ move }));
  }

  back() {
    const plan = this.plan.back();
    if (!this.isMoving) return this.stage(plan);
    const home = plan.room == null ? plan.with({ room: this.here }) : plan;
    return plan.items.length === this.plan.items.length ? this.stage(this.fitted(home)) : void this.look(home);
  }

  /** Does what is staged. */
  async act() {
    if (this.isBusy || this.plan.isEmpty) return;
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

  async overtaken() {
    const why = this.problem;
    await this.session.learn();
    this.reached = -1;
    await this.reach();
    this.problem = why;
  }
}
