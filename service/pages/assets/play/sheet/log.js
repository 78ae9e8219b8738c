// What happened, in words, turn by turn; the latest is in sight.

import { html, useEffect, useRef } from "../vendor/preact.js";
import { captions, scenesOf } from "../core/playback.js";

const SHOWN = 40; // turns

const BAD = new Set(["action_failed", "fire_started", "gnome_died", "gnome_fainted", "hatch_blocked", "room_flooded", "token_placed", "track_advanced"]);
const GOOD = new Set(["action_succeeded", "fire_went_out", "gnome_replaced", "gnome_woke", "token_removed", "track_reset"]);

/** @param {{ type: string }} event */
export const tone = ({ type }) => (BAD.has(type) ? "bad" : GOOD.has(type) ? "good" : type === "event_drawn" ? "card" : "");

// What an event is about, where that can be explained.
const ABOUT = /** @type {Record<string, (event: any) => [string, string]>} */ ({
  event_drawn: ({ card }) => ["cards", card],
  token_placed: ({ token }) => ["tokens", token],
  token_removed: ({ token }) => ["tokens", token],
});

/** @param {{ event: any, words: import("../core/words.js").Words, onAsk: (kind: string, id: string) => void }} props */
function Told({ event, words, onAsk }) {
  const [kind, id] = ABOUT[event.type]?.(event) ?? [];
  if (!kind || !id || !words.meaning(kind, id)) return event.text;
  return html`<button type="button" class="told" onClick=${() => onAsk(kind, id)}>${event.text}</button>`;
}

/** @param {{ events: any[], upTo: number, words: import("../core/words.js").Words, onAsk: (kind: string, id: string) => void }} props */
export function Log({ events, upTo, words, onAsk }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const told = events.filter(({ seq }) => seq <= upTo);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [told.length]);
  return html`<div class="play-log" ref=${box} tabindex="0" role="group" aria-label=${words.say("log")}>
    <h2 class="unseen">${words.say("log")}</h2>
    ${scenesOf(told)
      .slice(-SHOWN)
      .map(
        (scene) => html`<section key=${scene.events[0].seq}>
          <h3 data-seat=${scene.seat}>${scene.turn == null ? words.say("before_start") : scene.events[0].text}</h3>
          <ol>${captions(scene).map((event) => html`<li key=${event.seq} class=${tone(event)}><${Told} event=${event} words=${words} onAsk=${onAsk} /></li>`)}</ol>
        </section>`,
      )}
  </div>`;
}
