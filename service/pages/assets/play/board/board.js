// The board: the picture, a button on every room, the way that is staged, a gnome who walks.

import { html, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { markRising, pictureOf, VIEWS } from "./picture.js";
import { Cost, Marks } from "./marks.js";
import { along, middleOf, neighbour, wayThrough } from "./places.js";

const PAD = 4; // units that a room's button reaches over its walls
const SEA_PAD = 14; // the sea has none

/**
 * @typedef {object} RoomButton
 * @property {string} label
 * @property {"here" | "near" | "far" | "target"} kind
 * @property {boolean} pressed
 * @property {string} [badge]
 * @property {boolean} [isCoached] whether the coach speaks of it
 * @property {string} [name] what stands there instead of the number
 */

/**
 * @param {object} props
 * @param {string | null} props.svg
 * @param {"hull" | "ring"} props.view
 * @param {import("./places.js").Geometry} props.geometry
 * @param {Record<string, RoomButton>} props.rooms
 * @param {(room: string) => void} props.onRoom
 * @param {Record<string, { label: string, pressed: boolean, isAim?: boolean }>} props.hatches those that can be chosen
 * @param {(hatch: string) => void} props.onHatch
 * @param {string[]} props.path rooms of the staged way
 * @param {string[]} [props.advised] rooms of the way that a bot would go
 * @param {{ seat: number, rooms: string[] }[]} [props.proposals] ways that others would go
 * @param {{ seat: number, room?: string, hatch?: string }[]} [props.pointed] what they point at
 * @param {import("./marks.js").Mark[]} [props.marks] what the staged way does to rooms
 * @param {import("./marks.js").CostOf | null} [props.cost] what it costs
 * @param {{ token: string, minute: number, label: string }[]} [props.tokens] on the time track
 * @param {(kind: string, id: string) => void} [props.onAsk] somebody wants to know what it is
 * @param {{ seat: number, rooms: string[], ms: number } | null} props.walk
 * @param {string} props.label
 */
export function Board({ svg, view, geometry, rooms, onRoom, hatches, onHatch, path, advised = [], proposals = [], pointed = [], marks = [], cost = null, tokens = [], onAsk = () => {}, walk, label }) {
  const picture = useRef(/** @type {HTMLElement | null} */ (null));
  const box = VIEWS[view];
  useLayoutEffect(() => {
    if (!svg || !picture.current) return;
    const drawn = pictureOf(svg, view);
    markRising(picture.current, drawn);
    picture.current.replaceChildren(drawn);
  }, [svg, view]);

  /** @param {number[]} rect @param {number} pad */
  const placed = ([x, y, wide, high], pad) => ({
    left: `${(100 * (x - box.x - pad)) / box.wide}%`,
    top: `${(100 * (y - box.y - pad)) / box.high}%`,
    width: `${(100 * (wide + 2 * pad)) / box.wide}%`,
    height: `${(100 * (high + 2 * pad)) / box.high}%`,
  });
  /** @param {KeyboardEvent} event @param {string} room */
  const go = (event, room) => {
    if (event.key === "?") return onAsk("rooms", room);
    const next = neighbour(geometry, room, event.key);
    if (!next) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector(`.room[data-place="${next}"]`))?.focus();
  };

  return html`<section class="play-board board-${view}" aria-label=${label}>
    <div class="board-picture" ref=${picture}></div>
    <${Ways} box=${box} geometry=${geometry} path=${path} marks=${marks} cost=${view === "ring" ? cost : null} advised=${advised} proposals=${proposals} pointed=${pointed} walk=${walk} />
    ${Object.entries(rooms).map(
      ([room, { label: told, kind, pressed, badge, name, isCoached }]) => html`<button
        key=${room}
        type="button"
        class="room"
        data-place=${room}
        data-kind=${kind}
        data-coached=${isCoached}
        data-shown=${name ?? room}
        data-away=${badge || undefined}
        style=${placed(geometry.rooms[room], room === "sea" ? SEA_PAD : PAD)}
        aria-label=${told}
        aria-pressed=${String(pressed)}
        onClick=${() => onRoom(room)}
        onContextMenu=${(/** @type {Event} */ event) => {
          event.preventDefault();
          onAsk("rooms", room);
        }}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => go(event, room)}
      ></button>`,
    )}
    ${Object.entries(hatches).map(([hatch, { label: told, pressed, isAim }]) => {
      const [x, y] = geometry.hatches[hatch];
      return html`<button
        key=${hatch}
        type="button"
        class="hatch"
        data-aim=${isAim}
        style=${{ left: `${(100 * (x - box.x)) / box.wide}%`, top: `${(100 * (y - box.y)) / box.high}%` }}
        aria-label=${told}
        aria-pressed=${String(pressed)}
        onClick=${() => onHatch(hatch)}
      ></button>`;
    })}
    ${view === "ring" && tokens.map(({ token, minute, label: told }) => html`<button key=${token} type="button" class="on-track" style=${placed(geometry.spaces[minute], 0)} aria-label=${told} title=${told} onClick=${() => onAsk("tokens", token)}></button>`)}
    ${cost && html`<${Cost} box=${box} geometry=${geometry} cost=${cost} />`}
  </section>`;
}

/** The lines over the board, which nobody taps. @param {any} props */
function Ways({ box, geometry, path, marks, cost, advised, proposals, pointed, walk }) {
  const walker = useRef(/** @type {SVGGElement | null} */ (null));
  useEffect(() => {
    const group = walker.current;
    if (!group || !walk) return undefined;
    const way = wayThrough(geometry, walk.rooms);
    const began = performance.now();
    let frame = 0;
    const step = (/** @type {number} */ now) => {
      const share = Math.min(1, (now - began) / walk.ms);
      const { x, y } = along(way, share);
      group.setAttribute("transform", `translate(${x.toFixed(1)} ${(y - 6 * Math.abs(Math.sin(share * way.length * 3))).toFixed(1)})`);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [walk]);

  const start = walk ? wayThrough(geometry, walk.rooms)[0] : { x: 0, y: 0 };
  /** @param {string[]} rooms */
  const line = (rooms) => wayThrough(geometry, rooms).map(({ x, y }, at) => `${at ? "L" : "M"}${x} ${y}`).join("");
  return html`<svg class="ways" viewBox="${box.x} ${box.y} ${box.wide} ${box.high}" aria-hidden="true" focusable="false">
    ${advised.length > 1 && html`<path class="way advised" d=${line(advised)} />`}
    ${proposals.map((/** @type {any} */ { seat, rooms }) => rooms.length > 1 && html`<path class="way proposed" data-seat=${seat} d=${line(rooms)} />`)}
    ${pointed.map((/** @type {any} */ { seat, room, hatch }) => {
      const [x, y] = hatch ? geometry.hatches[hatch] : Object.values(middleOf(geometry, room));
      return html`<circle class="ping" data-seat=${seat} cx=${x} cy=${y} r="30" />`;
    })}
    <${Marks} geometry=${geometry} marks=${marks} cost=${cost} />
    ${path.length > 1 && html`<path class="way under" d=${line(path)} /><path class="way" d=${line(path)} />`}
    ${path.length > 1 && html`<${Goal} geometry=${geometry} room=${path.at(-1)} />`}
    ${walk && html`<g ref=${walker} class="walker" data-seat=${walk.seat} transform=${`translate(${start.x} ${start.y})`}><circle r="15" /><text y="6" text-anchor="middle">${walk.seat + 1}</text></g>`}
  </svg>`;
}

/** @param {any} props */
function Goal({ geometry, room }) {
  const { x, y } = wayThrough(geometry, [room])[0];
  return html`<circle class="goal" cx=${x} cy=${y} r="13" />`;
}
