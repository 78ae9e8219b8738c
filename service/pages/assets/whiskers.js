// Dots with their intervals over an axis, as wide as their place. Knows nothing of matches.

import { svg } from "./dom.js";

const INSET = 30;
const LABEL = 20; // the height of a group's name
const ROW = 20;
const GAP = 8;
const AXIS = 22;
const SHAPES = {
  crew: (x, y) => svg("circle", { cx: x, cy: y, r: 6 }),
  against: (x, y) => svg("path", { d: `M${x} ${y - 7}l7 7l-7 7l-7 -7z` }),
};

export class Whiskers {
  constructor(place, { format }) {
    Object.assign(this, { place, format, groups: [], low: 0, high: 1 });
    this.drawing = svg("svg", { role: "img", class: "whiskers" });
    place.replaceChildren(this.drawing);
    new ResizeObserver(() => this.draw()).observe(place);
  }

  // Groups { label, marks: [{ kind, at, from, to }] } on an axis from `low` to `high`.
  show(groups, low, high, description) {
    Object.assign(this, { groups, low, high });
    this.drawing.setAttribute("aria-label", description);
    this.draw();
  }

  x(value) {
    return INSET + ((value - this.low) / (this.high - this.low)) * (this.width - 2 * INSET);
  }

  draw() {
    this.width = this.place.clientWidth;
    if (!this.width) return;
    const parts = [];
    let y = 0;
    for (const { label, marks } of this.groups) {
      const name = svg("text", { x: 0, y: y + 14, class: "group" });
      name.textContent = label;
      parts.push(name);
      y += LABEL;
      for (const mark of marks) {
        parts.push(this.whisker(mark, y + ROW / 2));
        y += ROW;
      }
      y += GAP;
    }
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${y + AXIS}`);
    this.drawing.setAttribute("height", y + AXIS);
    this.drawing.replaceChildren(...this.axis(y), ...parts);
  }

  whisker({ kind, at, from, to }, y) {
    const [x, left, right] = [at, from, to].map((value) => Number(this.x(value).toFixed(1)));
    const line = svg("path", { class: "whisker", d: `M${left} ${y}H${right}M${left} ${y - 5}v10M${right} ${y - 5}v10` });
    return svg("g", { "data-kind": kind }, line, SHAPES[kind](x, y));
  }

  axis(bottom) {
    return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
      const value = this.low + share * (this.high - this.low);
      const x = this.x(value).toFixed(1);
      const text = svg("text", { x, y: bottom + 16, "text-anchor": "middle" });
      text.textContent = this.format(value);
      return [svg("line", { class: value === 0 ? "grid zero" : "grid", x1: x, x2: x, y1: 0, y2: bottom }), text];
    });
  }
}
