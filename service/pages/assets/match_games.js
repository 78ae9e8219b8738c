// The games of a match: the first of them to be watched, all of them to be kept.

import { Refused } from "./api.js";
import { $, el, sleep } from "./dom.js";
import { fill, lineUp, row } from "./match_charts.js";
import { count, named, say } from "./words.js";

const LISTED = 12;
const REST_MS = 2000;
const PATIENCE = 12; // times that a worker is waited for
const WAIT = 10; // seconds, each time

async function ask(address, options) {
  const reply = await fetch(address, options);
  if (!reply.ok) throw new Refused(reply.status, await reply.json().catch(() => ({})));
  return reply;
}

export class Games {
  constructor(path, asked, troubled) {
    Object.assign(this, { path, asked, troubled, listed: [], next: null, busy: false, stale: false, played: 0 });
    $("more").addEventListener("click", () => this.during($("more"), () => this.older()));
    $("which").addEventListener("change", () => {
      this.listed = [];
      this.refresh();
    });
    for (const button of document.querySelectorAll(".download button")) {
      button.addEventListener("click", () => this.during(button, () => this.download(button.dataset)));
    }
  }

  // There are more games, or no more.
  grown({ played, ended_at: ended }) {
    if (played === this.played && !ended) return;
    this.played = played;
    if (this.listed.length < LISTED || ended) this.refresh();
  }

  // Now, or as soon as what is asked for is there.
  async refresh() {
    this.stale = true;
    if (this.busy) return;
    this.busy = true;
    while (this.stale) {
      this.stale = false;
      await this.list().catch((error) => this.troubled(error));
      if (this.stale) await sleep(this.listed.length ? REST_MS : REST_MS / 4);
    }
    this.busy = false;
  }

  async list() {
    const which = $("which").value;
    const address = `${this.path}/games?limit=${LISTED}${which && `&result=${which}`}`;
    const { games, next } = await (await ask(address, { cache: "no-cache" })).json();
    if (which !== $("which").value) return;
    $("games-none").hidden = games.length > 0;
    const same = JSON.stringify(games) === JSON.stringify(this.listed);
    if (same && games.length) return;
    const focused = $("games").contains(document.activeElement) && document.activeElement.dataset.game;
    this.listed = games;
    this.until(next);
    fill("games", games.map((game) => this.row(game)));
    if (focused) [...$("games").querySelectorAll("button")].find((button) => button.dataset.game === focused)?.focus();
  }

  // The page after those that are listed.
  async older() {
    const which = $("which").value;
    const address = `${this.path}/games?limit=${LISTED}${which && `&result=${which}`}&cursor=${encodeURIComponent(this.next)}`;
    const { games, next } = await (await ask(address)).json();
    if (which !== $("which").value) return;
    this.until(next);
    fill("games", [...$("games").rows, ...games.map((game) => this.row(game))]);
  }

  until(next) {
    this.next = next;
    $("more").hidden = !next;
  }

  row({ gnomes, line_up, crew: bots, number, rescued, cause, turns, path }) {
    const crew = lineUp(line_up, bots);
    const label = say("open_which", { number, gnomes, crew });
    const button = el("button", { type: "button", "data-game": path, "aria-label": label }, say("open_game"));
    button.addEventListener("click", () => this.during(button, () => this.open(path)));
    const result = el("span", { class: rescued ? "rescued" : "lost" }, rescued ? say("is_rescued") : named("cause", cause));
    return row([button, result, gnomes, crew, number, count(turns)]);
  }

  async during(button, act) {
    button.disabled = true;
    $("opening").textContent = say(button.dataset.game ? "opening" : "loading");
    try {
      await act();
    } catch (error) {
      this.troubled(error);
    }
    $("opening").textContent = "";
    button.disabled = false;
  }

  async open(address) {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await ask(`${address}?wait=${WAIT}`, { method: "POST" });
      const { game_id: id } = await reply.json();
      if (reply.status === 201) return location.assign(`/watch/${id}${this.asked}`);
      if (attempt === PATIENCE) throw new Error(say("no_games"));
      await sleep(1000 * Number(reply.headers.get("Retry-After") ?? 1));
    }
  }

  async download({ ending }) {
    const reply = await ask(`${this.path}/games.${ending}`);
    const address = URL.createObjectURL(await reply.blob());
    const link = el("a", { href: address, download: `${this.path.split("/").at(-1)}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}
