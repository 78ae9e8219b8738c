// What players show each other at the moment: a plan that they have staged, or something that they point at. Nobody keeps it.

/** @typedef {{ type: string, room?: number | "sea", seat?: number, item?: string, hatch?: string, track?: string }} Target */
/**
 * @typedef {object} Signal
 * @property {number} seat @property {number} version @property {number} seconds @property {string} [text]
 * @property {import("./turn.js").Move[] | null} moves @property {Target | null} points_at @property {string | null} says
 */

export class Signals {
  /** @param {() => void} changed @param {(ms: number) => void} [wake] calls `changed` later, too */
  constructor(changed, wake = (ms) => setTimeout(changed, ms)) {
    this.changed = changed;
    this.wake = wake;
    /** @type {Map<number, Signal & { ends: number }>} by seat, which shows one thing at a time */
    this.heard = new Map();
  }

  /** @param {Signal} signal */
  hear(signal) {
    this.heard.set(signal.seat, { ...signal, ends: Date.now() + 1000 * signal.seconds });
    if (signal.seconds) this.wake(1000 * signal.seconds);
    this.changed();
  }

  /** What is to be seen: a plan as long as the game has its version, the rest until its time is up. @param {number} version */
  shown(version) {
    const isShown = (/** @type {Signal & { ends: number }} */ { ends, moves, version: made }) => ends > Date.now() && (!moves || made === version);
    return [...this.heard.values()].filter(isShown);
  }
}

/** @param {import("./session.js").Session} session @param {number} seat @param {object} shown */
export async function show({ api, path, token }, seat, shown) {
  await api.ask("PUT", `${path}/seats/${seat}/signal`, { token, body: shown });
}
