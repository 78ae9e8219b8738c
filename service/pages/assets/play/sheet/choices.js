// Every decision that is no movement: what may be chosen, in the service's own words.

import { html } from "../vendor/preact.js";
import { isSame } from "../core/turn.js";

/** The room that a choice is about, so that it can be tapped on the board. @param {any} move @param {import("contract").components["schemas"]["Game"]} state @returns {string | null} */
export function roomOf(move, state) {
  if (move.type === "spread_fire") return String(move.room);
  if (move.type === "open_hatch") return String(move.to);
  if (move.type === "enter") return state.pending.open_hatch_to == null ? null : String(state.pending.open_hatch_to);
  if (move.type === "stay") return String(state.gnomes[state.active].room);
  return null;
}

/** @param {any} props */
export function Choices({ state, plan, words, onChoose }) {
  return html`<div class="choices" role="group" aria-label=${words.named("phases", state.decision.kind)}>
    <h2 class="unseen">${words.named("phases", state.decision.kind)}</h2>
    <p class="why">${words.meaning("phases", state.decision.kind)}</p>
    ${state.legal_moves.map(
      (/** @type {any} */ move) => html`<button type="button" class="choice" aria-pressed=${String(Boolean(plan.move && isSame(plan.move, move)))} onClick=${() => onChoose(move)}>${move.text}</button>`,
    )}
  </div>`;
}
