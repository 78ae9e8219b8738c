// The service over HTTP. It knows no page: `fetch` and `sleep` can be others, for tests.

const PATIENCE = 5; // attempts, where the service asks to wait
const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;
const AGAIN = [408, 425, 429, 500, 502, 503, 504];
const NOT_SOON = ["overloaded", "too_much_work", "newer_game", "store_full", "store_read_only"];

export class Refused extends Error {
  /** @param {number} status @param {any} problem @param {string} [said] what it means to people */
  constructor(status, problem, said) {
    super(said ?? problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.code = problem.code ?? "";
    this.retryAfter = 0;
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {}

/** Hex digits that nobody guesses, for an Idempotency-Key. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} ms @returns {Promise<void>} */
const later = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * @typedef {object} Ask
 * @property {string | null} [token]
 * @property {unknown} [body]
 * @property {string} [key] an Idempotency-Key
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 */

export class Api {
  /** @param {string} lang @param {{ fetch?: typeof fetch, sleep?: (ms: number) => Promise<void>, problems?: Record<string, string> }} [world] and what problems mean to people, by code */
  constructor(lang, { fetch: fetcher = (...all) => fetch(...all), sleep = later, problems = {} } = {}) {
    this.lang = lang;
    this.problems = problems;
    this.fetch = fetcher;
    this.sleep = sleep;
  }

  /** @param {string} method @param {string} path @param {Ask} [ask] @returns {Promise<Response>} */
  async ask(method, path, { token, body, key, accept = "application/json", signal } = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: accept };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (key) headers["Idempotency-Key"] = key;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let reply;
    try {
      reply = await this.fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(this.problems.unreachable ?? String(error));
    }
    if (reply.ok) return reply;
    const problem = await reply.json().catch(() => ({}));
    const refused = new Refused(reply.status, problem, this.problems[problem.code]);
    refused.retryAfter = 1000 * Number(reply.headers.get("Retry-After") ?? 0);
    throw refused;
  }

  /** Waits where the service asks to. @param {string} path @param {Ask} [ask] */
  async open(path, ask = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.ask("GET", path, ask);
      } catch (error) {
        const waits = error instanceof Refused && [429, 503].includes(error.status);
        if (!waits || attempt === PATIENCE) throw error;
        await this.sleep(Math.min(Math.max(error.retryAfter, FIRST_RETRY), LONGEST_RETRY));
      }
    }
  }

  /** @param {string} path @param {string | null} [token] @returns {Promise<any>} */
  async get(path, token = null) {
    return (await this.open(path, { token })).json();
  }

  /** @param {string} path @param {unknown} body @param {string | null} [token] @returns {Promise<any>} */
  async post(path, body, token = null) {
    return (await this.ask("POST", path, { token, body })).json();
  }

  /**
   * Sends what must arrive once: the same request again and again until there is an answer.
   * @param {string} path @param {unknown} body @param {string | null} token
   * @param {(lost: boolean) => void} [waiting] is told whether an answer is long in coming
   */
  async send(path, body, token, waiting = () => {}) {
    const key = newKey();
    for (let wait = FIRST_RETRY; ; wait = Math.min(2 * wait, LONGEST_RETRY)) {
      try {
        const reply = await this.ask("POST", path, { token, body, key });
        waiting(false);
        return reply.status === 204 ? null : await reply.json();
      } catch (error) {
        const isTold = error instanceof Refused && (!AGAIN.includes(error.status) || NOT_SOON.includes(error.code));
        if (isTold) {
          waiting(false);
          throw error;
        }
        waiting(true);
        const asked = error instanceof Refused ? error.retryAfter : 0;
        await this.sleep(Math.max(wait, asked));
      }
    }
  }
}
