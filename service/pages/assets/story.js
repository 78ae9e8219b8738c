// What has happened in a game, and the versions at which there is something to see.

const SILENT = new Set(["bot_thinks", "time_is_short", "player_away", "player_back", "client_data_changed"]);

export class Story {
  constructor() {
    this.forget();
  }

  forget() {
    this.seq = 0;
    this.present = 0; // the latest version
    this.stops = []; // versions, ascending
    this.turns = []; // { version, turn, seat }
    this.thinking = null; // the seat of a bot that has not decided yet
    this.started = 0; // the version of the start
    this.ended = 0; // the version of the end
  }

  get over() {
    return this.ended > 0;
  }

  // False for an event that is known already.
  add(event) {
    if (event.type === "state" || event.seq <= this.seq) return false;
    this.seq = event.seq;
    this.present = Math.max(this.present, event.version);
    if (!SILENT.has(event.type) && this.stops.at(-1) !== event.version) this.stops.push(event.version);
    if (event.type === "turn_began") this.turns.push({ version: event.version, turn: event.turn, seat: event.seat });
    if (event.type === "bot_thinks") this.thinking = event.seat;
    else if (event.type === "choice") this.thinking = null;
    if (event.type === "game_started") this.started = event.version;
    if (event.type === "game_over") this.ended = event.version;
    return true;
  }

  // The number of the stop at which that version is seen.
  stopAt(version) {
    return Math.max(0, countUpTo(this.stops, version) - 1);
  }

  turnAt(version) {
    return this.turns[countUpTo(this.turns.map((turn) => turn.version), version) - 1] ?? null;
  }
}

export function countUpTo(ascending, most) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
