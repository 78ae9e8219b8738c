// The log: every event in words, turn by turn.

import { $, el } from "./dom.js";
import { addressOf } from "./address.js";
import { countUpTo } from "./story.js";
import { say } from "./words.js";

// Told only to who wants every detail: others tell the same, or it is seen.
const DETAILS = new Set([
  "bot_thinks", "card_removed", "choice", "client_data_changed", "hatch_opened", "hatch_unblocked", "minutes_spent",
  "time_is_short", "time_keeper_moved", "water_pumped",
]);
const BAD = new Set([
  "action_failed", "attack_declared", "fire_started", "gnome_died", "gnome_fainted", "hatch_blocked", "room_flooded",
  "token_placed", "track_advanced",
]);
const GOOD = new Set(["action_succeeded", "fire_went_out", "gnome_replaced", "gnome_woke", "token_removed", "track_reset"]);

const HEADING = 32; // pixels that a turn's heading covers

const isDetail = (event) => DETAILS.has(event.type) || (event.type === "die_rolled" && !("needed" in event));

function tone(event) {
  if (event.type === "game_over") return event.crew === "rescued" ? "good end" : "bad end";
  if (event.type === "event_drawn") return "card";
  return BAD.has(event.type) ? "bad" : GOOD.has(event.type) ? "good" : "";
}

export class Log {
  constructor(onPick) {
    this.box = $("log");
    this.clear();
    new ResizeObserver(() => this.reveal()).observe(this.box);
    $("detailed").addEventListener("change", () => {
      this.box.classList.toggle("detailed", $("detailed").checked);
      this.mark(this.current);
    });
    // With the mouse; by keyboard there is the slider, and a link at every turn.
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-version]");
      if (!row || getSelection().toString()) return;
      event.preventDefault();
      onPick(Number(row.dataset.version));
    });
  }

  clear() {
    this.box.replaceChildren();
    this.rows = [];
    this.versions = []; // of the rows
    this.list = null;
    this.current = Infinity; // the version that is shown
    this.told = 0; // rows up to it
    this.last = null; // the last of those that can be seen
  }

  add(event) {
    if (event.type === "turn_began" || !this.list) this.begin(event);
    if (event.type === "turn_began") return;
    const row = el("li", { class: tone(event), "data-version": event.version, "data-detail": isDetail(event) }, event.text);
    this.list.append(row);
    this.push(row, event.version);
  }

  push(row, version) {
    row.classList.toggle("later", version > this.current);
    this.rows.push(row);
    this.versions.push(version);
  }

  begin(event) {
    const link = el("a", { href: addressOf(event.version), "data-version": event.version });
    link.textContent = event.type === "turn_began" ? event.text : say("before_start");
    const heading = el("h3", { "data-seat": event.seat }, link);
    this.list = el("ol");
    this.box.append(el("section", {}, heading, this.list));
    this.push(heading, event.version);
  }

  // Where the watcher is: what came after it is told, but in the background.
  mark(version) {
    const told = countUpTo(this.versions, version);
    for (let at = Math.min(told, this.told); at < this.rows.length && at < Math.max(told, this.told); at += 1) {
      this.rows[at].classList.toggle("later", at >= told);
    }
    Object.assign(this, { current: version, told });
    this.last?.removeAttribute("aria-current");
    this.last = this.rows.slice(0, told).findLast((row) => row.offsetParent) ?? null;
    this.last?.setAttribute("aria-current", "step");
    this.reveal();
  }

  reveal() {
    if (!this.last) return;
    const { top, bottom } = this.box.getBoundingClientRect();
    const at = this.last.getBoundingClientRect();
    if (at.top < top + HEADING || at.bottom > bottom) this.box.scrollTop += at.bottom - bottom + (bottom - top) / 3;
  }
}

export const isNews = (event) => !isDetail(event);
