// Tells listeners with a screen reader what happens, without drowning them: the latest few sentences, now and then.

import { $ } from "./dom.js";

const EVERY_MS = 6000;
const MOST = 3;

export class Announcer {
  constructor() {
    this.waiting = [];
    this.timer = null;
  }

  add(text) {
    this.waiting = [...this.waiting, text].slice(-MOST);
    this.timer ??= setTimeout(() => this.tell(), this.last ? EVERY_MS : 500);
  }

  tell() {
    this.timer = null;
    this.last = true;
    $("announcer").textContent = this.waiting.join(" ");
    this.waiting = [];
  }
}
