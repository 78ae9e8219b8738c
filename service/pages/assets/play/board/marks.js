// What a staged way costs and does, drawn over the board: water that pours, fire that goes out, minutes, icons met.

import { html } from "../vendor/preact.js";
import { middleOf, wayThrough } from "./places.js";

/** @typedef {import("../core/geometry.js").Geometry} Geometry */
/** @typedef {import("../core/foresight.js").Mark} Mark */
/** @typedef {{ room: string, minutes: number, from: number, to: number | null, events: number[], items: number[] }} CostOf minutes of the gnome before and after */

const DROP = "M0-15C7-5 11 0 11 6A11 11 0 0 1-11 6C-11 0-7-5 0-15Z";
const FLAME = "M0-16C9-6 11 0 9 7A9.5 9.5 0 0 1-9 7C-11 0-3-4 0-16Z";

/** @param {{ geometry: Geometry, marks: Mark[], cost: CostOf | null }} props `cost` where the time track is in sight */
export function Marks({ geometry, marks, cost }) {
  return html`${cost && spent(cost).map((minute) => html`<${Space} key=${minute} rect=${geometry.spaces[minute]} isMet=${[...cost.events, ...cost.items].includes(minute)} />`)}
    ${marks.map(({ kind, room, to }) => {
      if (kind !== "pours") return html`<${Sign} geometry=${geometry} kind=${kind} room=${room} />`;
      const line = wayThrough(geometry, [room, String(to)]).map(({ x, y }, at) => `${at ? "L" : "M"}${x} ${y}`).join("");
      return html`<path class="pours under" d=${line} /><path class="pours" d=${line} />${[room, to].map((wet) => html`<${Sign} geometry=${geometry} kind=${kind} room=${wet} />`)}`; // both are half full
    })}`;
}

/** The minutes that are spent, the last first. @param {CostOf} cost */
const spent = ({ from, to }) => Array.from({ length: Math.max(0, from - (to ?? from)) }, (_, at) => from - 1 - at);

/** @param {any} props */
function Space({ rect: [x, y, wide, high], isMet }) {
  return html`<rect class="spent" data-met=${isMet} x=${x + 2} y=${y + 2} width=${wide - 4} height=${high - 4} rx="4" />`;
}

/** @param {any} props */
function Sign({ geometry, kind, room }) {
  const [x, y, , high] = geometry.rooms[room];
  return html`<g class="mark" data-kind=${kind} transform=${`translate(${x + 19} ${y + high - 22})`}>
    <path d=${kind === "quenched" ? FLAME : DROP} />
    ${kind === "quenched" && html`<path class="cross" d="M-13-13 13 13M13-13-13 13" />`}
  </g>`;
}

/** How many minutes the way takes and which icons it meets, beside its goal. The sheet says the same in words. @param {{ box: any, geometry: Geometry, cost: CostOf }} props */
export function Cost({ box, geometry, cost: { room, minutes, events, items } }) {
  if (!minutes) return null;
  const { x, y } = middleOf(geometry, room);
  const place = { left: `${(100 * (x - box.x)) / box.wide}%`, top: `${(100 * (y - box.y)) / box.high}%` };
  return html`<span class="cost" style=${place} aria-hidden="true">${minutes}′${events.map((minute) => html` <span class="event">★${minute}</span>`)}${items.map((minute) => html` <span class="item">▣${minute}</span>`)}</span>`;
}
