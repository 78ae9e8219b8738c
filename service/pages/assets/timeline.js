// Where in the game the watcher is: slider, buttons, keys; live, still, or playing.

import { $, sleep } from "./dom.js";
import { say } from "./words.js";

const STEP_MS = 1000; // at speed 1
const SCROLLING = [" ", "Home", "End"];
const OWN_KEYS = "input:not([type=range]), select, textarea, summary";

export class Timeline {
  // `show(version)` shows it, and is done when it is seen; `moved(version or null for live)` is told of every move.
  constructor(story, show, moved) {
    Object.assign(this, { story, show, moved, live: true, playing: null, stop: 0 });
    this.slider = $("slider");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    for (const [id, act] of Object.entries(this.acts())) $(id).addEventListener("click", act);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  acts() {
    return {
      first: () => this.go(0),
      back: () => this.go(this.stop - 1),
      play: () => (this.playing ? this.pause() : this.play()),
      forward: () => this.go(this.stop + 1),
      last: () => this.go(this.story.stops.length - 1),
      live: () => this.goLive(),
    };
  }

  get version() {
    return this.live ? this.story.present : this.story.stops[this.stop];
  }

  // The game went on.
  grown() {
    if (!this.story.stops.length) return; // nothing is told yet, or it is told anew
    this.slider.max = String(Math.max(0, this.story.stops.length - 1));
    if (this.live) this.stop = this.story.stops.length - 1;
    this.update();
    if (this.live) this.show(this.version);
  }

  go(stop) {
    this.pause();
    this.moveTo(stop);
  }

  goTo(version) {
    this.go(this.story.stopAt(version));
  }

  goLive() {
    this.pause();
    this.live = true;
    this.grown();
    this.moved(null);
  }

  moveTo(stop) {
    this.live = false;
    this.stop = Math.min(Math.max(stop, 0), this.story.stops.length - 1);
    this.update();
    this.moved(this.version);
    return this.show(this.version);
  }

  async play() {
    const run = (this.playing = {}); // another one ends this one
    this.update();
    if (this.live || this.stop >= this.story.stops.length - 1) await this.moveTo(0);
    while (this.playing === run && this.stop < this.story.stops.length - 1) {
      const pace = sleep(STEP_MS / Number($("speed").value));
      await Promise.all([this.moveTo(this.stop + 1), pace]);
    }
    if (this.playing !== run) return;
    if (this.story.over) this.pause();
    else this.goLive(); // all that was is told: on with what comes
  }

  pause() {
    this.playing = null;
    this.update();
  }

  update() {
    this.slider.value = String(this.stop);
    const { story, version } = this;
    const turn = story.turnAt(version);
    const where = say("version", { version, last: story.present });
    const early = !story.started || version < story.started;
    const when = turn ? say("turn", { turn: turn.turn }) : early && say("before_start");
    const place = [when, where].filter(Boolean).join(" · "); // a game from a position begins within a turn
    this.slider.setAttribute("aria-valuetext", place);
    $("place").textContent = place;
    $("live").setAttribute("aria-pressed", String(this.live));
    $("live").hidden = story.over;
    $("play").dataset.playing = String(this.playing !== null);
    $("play").setAttribute("aria-label", say(this.playing ? "pause" : "play"));
    $("play").title = say(this.playing ? "pause" : "play");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(OWN_KEYS)) return;
    if (event.key === " " && event.target.closest("button, a")) return; // presses that one
    if (SCROLLING.includes(event.key) && event.target.id === "log") return; // moves in it
    const acts = this.acts();
    const act = {
      ArrowLeft: acts.back,
      ArrowRight: acts.forward,
      Home: acts.first,
      End: acts.last,
      " ": acts.play,
      l: acts.live,
      L: acts.live,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
