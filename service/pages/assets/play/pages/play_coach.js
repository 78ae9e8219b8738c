// The coach of a first game: one sentence at a time, and a ring around what it speaks of.

import { LESSONS, lessonOf } from "../core/coach.js";
import { html } from "../vendor/preact.js";

/** What the coach speaks of now; null where there is none. @param {import("../core/player.js").Player} player */
export function lessonFor(player) {
  const { session, store, game } = player;
  if (!store.seat(game)?.coach || !session.isMine || !player.isPresent || session.state.result) return null;
  return lessonOf(session.events, session.decision.seat, player.plan) ?? { at: LESSONS.length, step: "end", target: "" };
}

/** @param {any} props */
export function Coach({ player, words, redraw }) {
  const lesson = lessonFor(player);
  if (!lesson) return null;
  const { at, step } = lesson;
  return html`<aside class="coach" aria-label=${words.say("coach")}>
    <p role="status">${at < LESSONS.length && html`<b>${at + 1}/${LESSONS.length}</b> `}${words.say(player.isMoving ? `coach_${at}_${step}` : "coach_choice")}</p>
    <button type="button" class="coach-end" aria-label=${words.say("coach_end")} title=${words.say("coach_end")} onClick=${() => {
      player.store.keep(player.game, { coach: false });
      redraw();
    }}>×</button>
  </aside>`;
}
