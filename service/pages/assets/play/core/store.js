// What this browser remembers: seats with their tokens, and how its user likes things. Nothing else of ours keeps anything.

const SEATS = "red-november.seats";
const LIKES = "red-november.likes";
const MOST = 40; // games

/**
 * @typedef {object} Seat
 * @property {string} token of a player
 * @property {string} [host] the token that deletes the game
 * @property {string} [name] of the game
 * @property {Record<string, string>} [hot] tokens by seat, where several play at this device
 * @property {boolean} [coach] whether it is a first game
 * @property {number} [seen] the last event that was shown
 * @property {number} at when it was last used, in milliseconds
 */

export class Store {
  /** @param {Storage | null} storage where nothing can be kept, everything lasts as long as the page */
  constructor(storage) {
    this.storage = storage;
    /** @type {Record<string, string>} */
    this.kept = {};
  }

  /** @param {string} key */
  read(key) {
    try {
      return JSON.parse(this.kept[key] ?? "null") ?? JSON.parse(this.storage?.getItem(key) ?? "{}") ?? {};
    } catch {
      return {};
    }
  }

  /** @param {string} key @param {object} value */
  write(key, value) {
    const written = JSON.stringify(value);
    try {
      if (!this.storage) throw new Error("switched off");
      this.storage.setItem(key, written); // other tabs write, too: nothing of it is held here
    } catch {
      this.kept[key] = written; // it lasts as long as the page
    }
  }

  /** @returns {Record<string, Seat>} by game */
  seats() {
    return this.read(SEATS);
  }

  /** @param {string} game @returns {Seat | null} */
  seat(game) {
    return this.seats()[game] ?? null;
  }

  /** @param {string} game @param {Partial<Seat>} seat */
  keep(game, seat) {
    const seats = this.seats();
    seats[game] = { ...seats[game], ...seat, at: Date.now() };
    const latest = Object.entries(seats).sort(([, one], [, other]) => other.at - one.at);
    this.write(SEATS, Object.fromEntries(latest.slice(0, MOST)));
  }

  /** @param {string} game */
  forget(game) {
    const seats = this.seats();
    delete seats[game];
    this.write(SEATS, seats);
  }

  /** @returns {Record<string, any>} */
  likes() {
    return this.read(LIKES);
  }

  /** @param {Record<string, any>} likes */
  like(likes) {
    this.write(LIKES, { ...this.likes(), ...likes });
  }
}

/** The browser's own store; null where it is switched off. */
export function browserStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
