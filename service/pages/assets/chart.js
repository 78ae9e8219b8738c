// A line over a range, as wide as its place; with a mark, and a way to pick a point. Knows nothing of games.

import { el, svg } from "./dom.js";

const HEIGHT = 120;
const TOP = 8;
const BOTTOM = 8;

export class Chart {
  // `inset`: pixels left free on both sides, so that the line ends where a slider's thumb does.
  constructor(place, { inset = 0, label, percent, onPick }) {
    Object.assign(this, { place, inset, label, percent, points: [], last: 1, at: 0 });
    this.drawing = svg("svg", { role: "img", class: "lines" });
    place.replaceChildren(this.drawing);
    new ResizeObserver(() => this.draw()).observe(place);
    place.addEventListener("click", (event) => {
      const { left } = place.getBoundingClientRect();
      onPick(((event.clientX - left - inset) / Math.max(1, this.width - 2 * inset)) * this.last);
    });
  }

  // Points { x, y } with 0 ≤ x ≤ last and 0 ≤ y ≤ 1.
  show(points, last, at, description) {
    Object.assign(this, { points, last: Math.max(1, last), at });
    this.drawing.setAttribute("aria-label", `${this.label} ${description}`);
    this.draw();
  }

  x(value) {
    return this.inset + (value / this.last) * (this.width - 2 * this.inset);
  }

  y(share) {
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  }

  draw() {
    this.width = this.place.clientWidth;
    if (!this.width) return;
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.drawing.setAttribute("height", HEIGHT);
    const round = (value) => value.toFixed(1);
    const line = this.points.map(({ x, y }, at) => `${at ? "L" : "M"}${round(this.x(x))} ${round(this.y(y))}`).join("");
    const parts = [0, 0.5, 1].flatMap((share) => this.grid(share));
    if (line) {
      const [first, end] = [this.points[0], this.points.at(-1)];
      const base = `L${round(this.x(end.x))} ${this.y(0)}L${round(this.x(first.x))} ${this.y(0)}Z`;
      parts.push(svg("path", { class: "area", d: line + base }), svg("path", { class: "line", d: line }));
      for (const { x, y } of this.points) parts.push(svg("circle", { class: "point", cx: round(this.x(x)), cy: round(this.y(y)), r: 2 }));
    }
    const mark = round(this.x(this.at));
    parts.push(svg("line", { class: "mark", x1: mark, x2: mark, y1: 0, y2: HEIGHT }));
    const now = this.points.findLast(({ x }) => x <= this.at);
    if (now) parts.push(svg("circle", { class: "now", cx: round(this.x(now.x)), cy: round(this.y(now.y)), r: 5 }));
    this.drawing.replaceChildren(...parts);
  }

  grid(share) {
    const y = this.y(share);
    const text = svg("text", { x: this.width - this.inset, y: share === 1 ? y + 12 : y - 4, "text-anchor": "end" });
    text.textContent = this.percent(share);
    return [svg("line", { class: "grid", x1: this.inset, x2: this.width - this.inset, y1: y, y2: y }), text];
  }
}

// The same for who can't see it, or wants numbers.
export function rows(points, cells) {
  return points.map((point) => el("tr", {}, ...cells(point).map((cell) => el("td", {}, String(cell)))));
}
