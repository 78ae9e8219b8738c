// One game and this player in it: what happens comes in by a stream, what the player may do is asked for, moves go out.

import { Refused } from "./api.js";

const NDJSON = "application/x-ndjson";
const SILENCE_MS = 15_000; // the service says something every seven seconds
const DEAD_MS = 30_000;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 15_000;
const PAGE = 1000;
const LAST_LINES = ["game_over", "game_deleted"];
const NO_SEAT = ["bad_token", "token_revoked"];

/** @typedef {import("contract").components["schemas"]} Schemas of the contract: tests make them from openapi.yaml */
/** @typedef {import("./playback.js").Event} Event */
/** @typedef {"connecting" | "live" | "silent" | "lost" | "over" | "gone"} Line */

export class Session {
  /**
   * @param {import("./api.js").Api} api @param {string} game
   * @param {{ token: string | null, hot?: Record<string, string>, changed: (events: Event[]) => void, lineChanged: (line: Line) => void, noSeat: () => void, signalled?: (signal: any) => void }} more
   */
  constructor(api, game, { token, hot = {}, changed, lineChanged, noSeat, signalled = () => {} }) {
    this.api = api;
    this.token = token;
    this.hot = hot; // by seat, where several play at this device
    this.isVeiled = true; // until one of them has said who they are
    this.changed = changed;
    this.lineChanged = lineChanged;
    this.noSeat = noSeat;
    this.signalled = signalled;
    this.path = `/v1/games/${encodeURIComponent(game)}`;
    /** @type {Schemas["Game"]} */
    this.state = /** @type {any} */ (null);
    /** @type {Event[]} */
    this.events = [];
    this.seq = 0;
    /** @type {Line} */
    this.line = "connecting";
    this.heard = 0;
    /** @type {AbortController | null} */
    this.wire = null;
    this.isOver = false;
    this.isClosed = false;
    this.watch = 0;
  }

  get isMine() {
    const { decision, you } = this.state ?? {};
    return Boolean(decision && you.seats.includes(decision.seat));
  }

  /** What must be decided now, where it is known that something must. */
  get decision() {
    return /** @type {NonNullable<Schemas["Game"]["decision"]>} */ (this.state.decision);
  }

  /** Begins: the state and what has happened; then listens for as long as the game lasts. */
  async begin() {
    const ask = () => Promise.all([this.learn(), this.recall(0)]);
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Refused && NO_SEAT.includes(error.code))) throw error;
      this.token = null;
      this.noSeat();
      await ask();
    }
    this.changed([]);
    this.listen();
    this.watch = +setInterval(() => this.check(), 1000);
  }

  /** @param {any} [state] */
  async learn(state = null) {
    const told = state ?? (await this.api.get(`${this.path}?lang=${this.api.lang}`, this.token));
    if (this.state && told.epoch === this.state.epoch && told.version < this.state.version) return;
    if (this.state && told.epoch !== this.state.epoch) Object.assign(this, { events: [], seq: 0 });
    this.state = told;
    const next = this.nextHere;
    if (next && !this.hidesHands) {
      this.token = next;
      await this.learn();
    }
  }

  get hidesHands() {
    const { hidden_hands: hidden, crazed_gnomes: crazed } = this.state.rules;
    return Boolean(hidden || crazed);
  }

  /** The token of another player at this device, who must decide now. */
  get nextHere() {
    const { decision, you } = this.state;
    return decision && !you.seats.includes(decision.seat) ? (this.hot[decision.seat] ?? null) : null;
  }

  /**
   * What must be settled before anything is seen: which seat has the device now; none, while a bot decides and nobody
   * at this device has said who they are.
   * @returns {{ seat: number | null } | null}
   */
  get curtain() {
    const { state } = this;
    if (!state || state.result || !this.hidesHands || !Object.keys(this.hot).length) return null;
    const seat = state.decision?.seat;
    if (seat !== undefined && seat in this.hot) return this.isVeiled || this.nextHere ? { seat } : null;
    return this.isVeiled ? { seat: null } : null;
  }

  /** The next player has the device: what they may know is asked for anew. */
  async pass() {
    this.isVeiled = false;
    this.token = this.hot[this.decision.seat];
    Object.assign(this, { events: [], seq: 0 });
    await this.learn();
    await this.recall(0);
    this.renew();
  }

  /** Fetches the history after an event, page by page. @param {number} after */
  async recall(after) {
    for (;;) {
      const path = `${this.path}/events?after=${after}&limit=${PAGE}&lang=${this.api.lang}`;
      const { events } = await this.api.get(path, this.token);
      events.forEach((/** @type {Event} */ event) => this.add(event));
      if (events.length < PAGE) return;
      after = events.at(-1).seq;
    }
  }

  /** @param {Event} event */
  add(event) {
    if (event.seq <= this.seq) return false;
    this.seq = event.seq;
    this.events.push(event);
    if (event.type === "game_over") this.isOver = true;
    return true;
  }

  // The line

  /** @param {Line} line */
  tell(line) {
    if (this.line === line) return;
    this.line = line;
    this.lineChanged(line);
  }

  check() {
    const silence = Date.now() - this.heard;
    if (this.line === "live" && silence > SILENCE_MS) this.tell("silent");
    if (this.line === "silent" && silence > DEAD_MS) this.renew();
  }

  /** Opens the stream anew: phones leave dead ones open. */
  renew() {
    this.heard = Date.now(); // so long the new one has
    this.wire?.abort();
  }

  close() {
    this.isClosed = true;
    clearInterval(this.watch);
    this.wire?.abort();
  }

  async listen() {
    for (let retry = FIRST_RETRY; !this.isClosed; retry = Math.min(2 * retry, LONGEST_RETRY)) {
      try {
        this.wire = new AbortController();
        const path = `${this.path}/events/stream?lang=${this.api.lang}&after=${this.seq}&kinds=all`;
        const reply = await this.api.open(path, { token: this.token, accept: NDJSON, signal: this.wire.signal });
        this.hear();
        if (await this.follow(/** @type {ReadableStream<Uint8Array>} */ (reply.body), () => (retry = FIRST_RETRY / 2))) return;
      } catch (error) {
        if (this.isClosed) return;
        if (error instanceof Refused && error.code === "no_such_game") return this.tell("gone");
        if (error instanceof Refused && NO_SEAT.includes(error.code)) this.unseat();
        else if (this.wire?.signal.aborted) continue; // renewed
      }
      this.tell("lost");
      await this.api.sleep(retry);
    }
  }

  unseat() {
    this.token = null;
    this.noSeat();
  }

  hear() {
    this.heard = Date.now();
    this.tell(this.isOver ? "over" : "live");
  }

  /** Reads the stream to its end; true if there will be no other. @param {ReadableStream<Uint8Array>} body @param {() => void} well */
  async follow(body, well) {
    const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      this.hear();
      const parts = (rest + value).split("\n");
      rest = /** @type {string} */ (parts.pop());
      const lines = parts.filter(Boolean).map((part) => JSON.parse(part));
      well();
      if (await this.take(lines)) return true;
    }
  }

  /** @param {any[]} lines */
  async take(lines) {
    /** @type {Event[]} */
    const fresh = [];
    let isLast = false;
    let isNews = false; // what happened while the state was asked for is in the history already
    for (const line of lines) {
      if (line.type === "state") {
        const went = this.state && line.state.epoch !== this.state.epoch;
        isNews ||= went || line.state.version > this.state.version;
        if (isNews) await this.learn();
        if (went) await this.recall(0);
      } else if (line.type === "signal") this.signalled(line);
      else if (line.type === "token_revoked") this.unseat();
      else if (line.type === "game_deleted") {
        this.tell("gone");
        return true;
      } else if (line.seq && this.add(line)) fresh.push(line);
      isLast ||= LAST_LINES.includes(line.type);
    }
    if (fresh.length && (fresh[fresh.length - 1].version > this.state.version || this.isOver)) await this.learn();
    if (fresh.length || isNews) this.changed(fresh);
    if (isLast) this.tell("over");
    return isLast;
  }

  // What the player does

  /** @param {import("./turn.js").Move[]} moves @param {number} version @param {(lost: boolean) => void} waiting */
  async play(moves, version, waiting) {
    const answer = await this.api.send(`${this.path}/moves`, { moves, version }, this.token, waiting);
    const fresh = [];
    const { events } = await this.api.get(`${this.path}/events?after=${this.seq}&limit=${PAGE}&lang=${this.api.lang}`, this.token);
    for (const event of events) if (this.add(event)) fresh.push(event);
    await this.learn();
    this.changed(fresh);
    return answer;
  }

  /** Where the gnome who decides can get to, after some moves, and what these come to. @param {import("./turn.js").Move[]} moves @param {number} version */
  async reach(moves, version) {
    if (moves.length) return this.api.post(`${this.path}/previews`, { moves, version, reach: true }, this.token);
    const { rooms } = await this.api.get(`${this.path}/seats/${this.decision.seat}/reach`, this.token);
    return { rooms, previews: [], game: this.state };
  }

  /** The board as it was, as SVG. @param {number} version @param {"light" | "dark"} theme */
  async board(version, theme) {
    const path = `${this.path}/board.svg?version=${version}&theme=${theme}&lang=${this.api.lang}`;
    return (await this.api.open(path, { token: this.token, accept: "image/svg+xml" })).text();
  }
}
