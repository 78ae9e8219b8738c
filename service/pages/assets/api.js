// The service, for one game and whoever watches it.

import { sleep } from "./dom.js";

const PATIENCE = 5; // attempts, where the service asks to wait

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `${status}`);
    this.status = status;
    this.code = problem.code;
  }
}

export class Api {
  constructor(game, lang, token = null) {
    this.path = `/v1/games/${encodeURIComponent(game)}`;
    this.lang = lang;
    this.token = token;
    this.fresh = false; // after the service went back, what is cached of the past may be another one
  }

  async open(address, { accept = "application/json", signal } = {}) {
    const headers = { Accept: accept };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const cache = this.fresh ? "no-cache" : "default";
    for (let attempt = 1; ; attempt += 1) {
      const reply = await fetch(address, { headers, signal, cache });
      if (reply.ok) return reply;
      const wait = Number(reply.headers.get("Retry-After") ?? 0);
      if (![429, 503].includes(reply.status) || attempt === PATIENCE) {
        throw new Refused(reply.status, await reply.json().catch(() => ({})));
      }
      await sleep(1000 * Math.min(Math.max(wait, 1), 30));
    }
  }

  async get(path) {
    return (await this.open(this.path + path)).json();
  }

  state(version) {
    return this.get(version == null ? "" : `?version=${version}`);
  }

  boardAddress(version, theme) {
    return `${this.path}/board.svg?version=${version}&theme=${theme}&lang=${this.lang}`;
  }

  async board(version, theme) {
    return (await this.open(this.boardAddress(version, theme), { accept: "image/svg+xml" })).text();
  }

  events(after) {
    return this.get(`/events?after=${after}&limit=1000&lang=${this.lang}`);
  }

  odds() {
    return this.get("/odds?wait=5");
  }
}
