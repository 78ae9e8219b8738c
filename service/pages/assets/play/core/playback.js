// What is shown runs behind what has happened: a queue of scenes, a turn each, so that people can follow.

/** @typedef {{ seq: number, version: number, type: string, text?: string, [field: string]: any }} Event */
/**
 * @typedef {object} Scene
 * @property {number | null} seat whose turn it is
 * @property {number | null} turn
 * @property {number} version the last that it shows
 * @property {number} seq
 * @property {Event[]} events
 */

export const TURN_MS = 1200; // at speed 1
const LONGEST_MS = 3000;
const UNSEEN = new Set([
  "bot_thinks", "time_is_short", "player_away", "player_back", "client_data_changed", "turn_began", "choice", "minutes_spent",
  "hatch_opened", "gnome_moved", "time_keeper_moved", "card_removed", "water_pumped", "hatch_unblocked",
]);

/** Cuts what happened into turns. @param {Event[]} events @returns {Scene[]} */
export function scenesOf(events) {
  /** @type {Scene[]} */
  const scenes = [];
  for (const event of events) {
    const last = scenes.at(-1);
    if (event.type === "turn_began" || !last) {
      const turn = event.type === "turn_began" ? event.turn : null;
      scenes.push({ seat: event.seat ?? null, turn, version: event.version, seq: event.seq, events: [event] });
    } else {
      last.events.push(event);
      last.version = event.version;
      last.seq = event.seq;
    }
  }
  return scenes;
}

/** Whether there is something in it to see. @param {Scene} scene */
export const isSeen = (scene) => scene.events.some(({ type }) => type === "gnome_moved" || type === "choice" || !UNSEEN.has(type));

/** What a scene says in words. @param {Scene} scene */
export const captions = (scene) => scene.events.filter((event) => !UNSEEN.has(event.type) && event.text);

/** The rooms through which the scene's gnome goes. @param {Scene} scene @returns {string[]} */
export function walkOf(scene) {
  const steps = scene.events.filter(({ type, seat }) => type === "gnome_moved" && seat === scene.seat);
  return steps.length ? [String(steps[0].from), ...steps.map(({ to }) => String(to))] : [];
}

/** The die that decided, beside what was needed. @param {Scene} scene @returns {{ value: number, needed: number } | null} */
export function dieOf(scene) {
  const rolled = scene.events.find(({ type, needed }) => type === "die_rolled" && needed != null);
  return rolled ? { value: rolled.value, needed: rolled.needed } : null;
}

/** How long a scene stays: longer where more happens. @param {Scene} scene @param {number} speed */
export function lengthOf(scene, speed) {
  const cards = scene.events.filter(({ type }) => type === "event_drawn").length;
  return Math.min(TURN_MS + 350 * Math.max(0, cards - 1), LONGEST_MS) / speed;
}

export class Playback {
  /**
   * @param {(scene: Scene) => Promise<void>} show is done when the scene may go
   * @param {() => void} caughtUp the present is reached
   */
  constructor(show, caughtUp) {
    this.show = show;
    this.caughtUp = caughtUp;
    /** @type {Scene[]} */
    this.queue = [];
    this.isRunning = false;
    this.isPaused = false;
  }

  /** @param {Event[]} events */
  add(events) {
    this.queue.push(...scenesOf(events).filter(isSeen));
    this.run();
  }

  /** The present at once. */
  skip() {
    this.queue = [];
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.isPaused = paused;
    if (!paused) this.run();
  }

  get behind() {
    return this.queue.length + Number(this.isRunning);
  }

  async run() {
    if (this.isRunning || this.isPaused) return;
    this.isRunning = true;
    try {
      while (this.queue.length && !this.isPaused) {
        const scene = /** @type {Scene} */ (this.queue.shift());
        await this.show(scene);
      }
    } finally {
      this.isRunning = false;
    }
    if (!this.queue.length) this.caughtUp();
  }
}
