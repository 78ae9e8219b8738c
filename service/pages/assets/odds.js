// The crew's chance over time: asked for at the start of each turn, but not too often.

import { $ } from "./dom.js";
import { Chart, rows } from "./chart.js";
import { percent, say } from "./words.js";

const REST_MS = 5000;
const THUMB = 11; // half of the slider's

export class Odds {
  constructor(api, story, goTo) {
    Object.assign(this, { api, story, points: [], asking: false, asked: 0, version: 0, reached: 0 });
    this.chart = new Chart($("chart"), {
      inset: THUMB,
      label: $("odds-title").textContent,
      percent,
      onPick: (stop) => goTo(Math.round(stop)),
    });
  }

  forget() {
    Object.assign(this, { points: [], asked: 0 });
  }

  // Asks for what is missing, unless that is under way.
  async refresh() {
    const wanted = this.story.turns.length + this.story.over;
    if (this.asking || this.asked === wanted) return;
    this.asking = true;
    try {
      const { points, complete } = await this.api.odds();
      this.points = points;
      $("odds").hidden = false;
      if (complete) this.asked = wanted;
      this.tabulate();
      this.show(this.version);
    } catch (error) {
      console.info("no odds:", error.message); // the game can be watched without
      $("odds").hidden = error.code === "advice_off"; // until it is over
    }
    setTimeout(() => {
      this.asking = false;
      this.refresh();
    }, REST_MS);
  }

  show(version) {
    this.version = version;
    if (version > this.reached) {
      this.reached = version;
      this.tabulate();
    }
    const { story } = this;
    const now = this.points.findLast((point) => point.version <= version);
    const turn = now && story.turnAt(now.version);
    const said = now ? say("odds_at", { chance: percent(now.rescue_rate), turn: turn?.turn ?? 1 }) : say("no_odds");
    $("odds-now").textContent = now ? percent(now.rescue_rate) : "–";
    $("odds-none").hidden = this.points.length > 0;
    const placed = this.known().map((point) => ({ x: story.stopAt(point.version), y: point.rescue_rate }));
    this.chart.show(placed, story.stops.length - 1, story.stopAt(version), said);
  }

  // Of a game that is over, what its watcher has come to: the rest would tell them how it ends.
  known() {
    return this.story.over ? this.points.filter(({ version }) => version <= this.reached) : this.points;
  }

  tabulate() {
    const cells = ({ version, rescue_rate: rate }) => [this.story.turnAt(version)?.turn ?? "", version, percent(rate)];
    $("odds-rows").replaceChildren(...rows(this.known(), cells));
  }
}
