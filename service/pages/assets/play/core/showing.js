// What is shown of a game: the present, or what led to it, a turn at a time. Knows no page: it is told how to draw.

import { geometryOf } from "./geometry.js";
import { lengthOf, Playback, walkOf } from "./playback.js";
import { Session } from "./session.js";
import { Signals } from "./signals.js";

const REPLAYED = 14; // turns that are shown to whoever comes back; more are left out
const WALK = 0.5; // of a scene's time

/** @typedef {import("contract").components["schemas"]} Schemas of the contract */
/** @typedef {import("./playback.js").Scene} Scene */

export class Showing {
  /**
   * @param {object} given
   * @param {import("./api.js").Api} given.api @param {import("./store.js").Store} given.store @param {string} given.game
   * @param {() => void} given.redraw @param {() => "light" | "dark"} given.theme @param {() => boolean} given.isStill nothing shall move
   * @param {(scene: Scene) => void} given.told a scene has been shown @param {() => void} given.asked the player must decide
   */
  constructor({ api, store, game, redraw, theme, isStill, told, asked }) {
    this.api = api;
    this.store = store;
    this.game = game;
    this.redraw = redraw;
    this.theme = theme;
    this.isStill = isStill;
    this.told = told;
    this.asked = asked;
    /** @type {any} */
    this.rules = null;
    /** @type {import("./geometry.js").Geometry | null} */
    this.geometry = null;
    /** @type {Schemas["Game"]} what is seen */
    this.state = /** @type {any} */ (null);
    /** @type {string | null} */
    this.svg = null;
    this.seen = 0; // the last event that was shown
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{ seat: number, rooms: string[], ms: number } | null} */
    this.walk = null;
    /** @type {string | null} a key of the texts, or what the service said */
    this.problem = null;
    this.notice = "";
    this.speed = Number(store.likes().speed ?? 1);
    this.askedAt = -1;
    this.reached = -1; // the version that is prepared for
    this.signals = new Signals(redraw);
    this.session = new Session(api, game, {
      token: store.seat(game)?.token ?? null,
      hot: store.seat(game)?.hot,
      changed: (events) => this.changed(events),
      lineChanged: () => redraw(),
      signalled: (signal) => this.signals.hear(signal),
      noSeat: () => {
        store.forget(game);
        this.notice = "no_seat";
        redraw();
      },
    });
    this.playback = new Playback((scene) => this.show(scene), () => this.reach());
  }

  async begin() {
    await Promise.all([this.study(), this.session.begin()]); // on a slow line each round trip counts
  }

  /** Learns what is the same in all games. */
  async study() {
    const [rules, { layouts }] = await Promise.all([this.api.get(`/v1/rules?lang=${this.api.lang}`), this.api.get("/v1/board")]);
    this.geometry = geometryOf(layouts[0]);
    this.rules = rules;
    this.redraw();
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
    await this.rewind(missed);
    return this.playback.add(missed);
  }

  /** Shows the board as it was before all that, and tells nothing of it yet. @param {import("./playback.js").Event[]} missed */
  async rewind(missed) {
    const [first] = missed;
    this.seen = first ? first.seq - 1 : 0;
    await this.see(Math.max(1, (first?.version ?? 2) - 1));
  }

  /** What happened since the player's last turn, once more. */
  async again() {
    const { events, state } = this.session;
    const mine = events.filter(({ type, seat }) => type === "turn_began" && state.you.seats.includes(seat));
    const since = mine.filter(({ turn }) => turn < state.turn).at(-1);
    const missed = events.filter(({ seq }) => seq >= (since?.seq ?? 0));
    await this.rewind(missed);
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
    if (this.reached === state.version && this.state?.version === state.version) {
      this.state = state; // who is there may have changed
      return this.redraw();
    }
    await this.see(state.version).catch((error) => (this.problem = String(error.message)));
    this.seen = seq;
    if (this.session.token) this.store.keep(this.game, { seen: seq, name: state.name });
    if (this.session.state.version !== state.version) return void this.changed([]);
    if (this.reached === state.version) return this.redraw(); // somebody else was here while the picture came
    this.reached = state.version;
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

  /** Makes ready what the player may do; there is nothing to, for whoever watches. @returns {Promise<void>} */
  prepare() {
    return Promise.resolve();
  }
}
