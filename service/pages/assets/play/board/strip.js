// The next fifteen minutes, and how far each track has come: what the picture shows around the boat, for small screens.

import { html, useLayoutEffect, useRef } from "../vendor/preact.js";
import { signOf } from "./picture.js";

const AHEAD = 15;
const WARM = 5;
const HOT = 8;

/** A small picture. @param {{ inner: string, label?: string, tone?: string }} props */
export function Sign({ inner, label, tone = "" }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const drawn = inner.startsWith("<") ? inner : `<path d="${inner}" fill="currentColor" fill-rule="evenodd"/>`;
    place.current?.replaceChildren(signOf(drawn));
  }, [inner]);
  return html`<span class="sign ${tone}" ref=${place} role=${label ? "img" : undefined} aria-label=${label} aria-hidden=${label ? undefined : "true"}></span>`;
}

/**
 * @param {object} props
 * @param {import("contract").components["schemas"]["Game"]} props.state @param {any} props.rules @param {any} props.signs @param {import("../core/words.js").Words} props.words
 * @param {number} props.seat whose minutes they are @param {number | null} props.ghost where the staged plan leads
 * @param {(kind: string, id: string) => void} props.onAsk
 */
export function Strip({ state, rules, signs, words, seat, ghost, onAsk }) {
  const from = state.gnomes[seat].minutes;
  const minutes = Array.from({ length: Math.min(AHEAD, from) }, (_, at) => from - 1 - at);
  const { events, items } = rules.time_track;
  const end = ghost ?? (state.active === seat ? state.ghost : from);
  return html`<ol class="strip" aria-label=${words.say("ahead", { minutes: from })}>
    <li class="minute now"><b>${from}</b><span class="unseen">${words.say("now")}</span></li>
    ${minutes.map((minute) => {
      const tokens = Object.entries(state.destruction).filter(([, at]) => at === minute);
      const others = state.gnomes.flatMap((/** @type {any} */ gnome, /** @type {number} */ other) =>
        gnome.minutes === minute && other !== seat && ["alive", "fainted"].includes(gnome.state) ? [other] : [],
      );
      return html`<li key=${minute} class="minute" data-spent=${minute >= end} data-end=${minute === 0}>
        <b>${minute}</b>
        ${events.includes(minute) && html`<${Sign} inner=${signs.event} label=${words.say("event_icon")} tone="event" />`}
        ${items.includes(minute) && html`<${Sign} inner=${signs.item} label=${words.say("item_icon")} tone="item" />`}
        ${tokens.map(
          ([token]) => html`<button type="button" class="token" onClick=${() => onAsk("tokens", token)} aria-label=${words.named("tokens", token)}><${Sign} inner=${signs.tokens[token]} /></button>`,
        )}
        <span class="keepers">${others.map((/** @type {number} */ other) => html`<i data-seat=${other} title=${words.say("gnome", { seat: other + 1 })}></i>`)}</span>
      </li>`;
    })}
  </ol>`;
}

/** @param {any} props */
export function Tracks({ state, relieved, signs, words, onAsk }) {
  return html`<ul class="tracks">
    ${Object.entries(state.tracks).map(([track, value]) => {
      const heat = value >= HOT ? "hot" : value >= WARM ? "warm" : "calm";
      return html`<li key=${track}>
        <button type="button" class="track" data-heat=${heat} data-relieved=${track === relieved} onClick=${() => onAsk("tracks", track)}>
          <${Sign} inner=${signs.tracks[track]} />
          <span class="track-name">${words.named("tracks", track)}</span>
          <span class="track-cells" aria-hidden="true">${Array.from({ length: 10 }, (_, at) => html`<i data-full=${at < value}></i>`)}</span>
          <b aria-hidden="true">${value}</b><span class="unseen">${words.say("of_ten", { value })}</span>
        </button>
      </li>`;
    })}
  </ul>`;
}
