// The gnomes, each told once: who they are, where, how long they have, what they hold.

import { Sign } from "../board/strip.js";
import { html } from "../vendor/preact.js";
import { isolated } from "../core/words.js";

const MOST_INTOXICATED = 4;
const MANY = 5; // gnomes, from which on what they hold is shown in signs

/** What a seat is called: by its player, its bot, or its number. @param {import("contract").components["schemas"]["Game"]} state @param {number} seat @param {import("../core/words.js").Words} words */
export function nameOf(state, seat, words) {
  const { player_id: id, kind, bot } = state.seats[seat];
  const player = state.players.find((/** @type {any} */ each) => each.id === id);
  if (player) return player.name;
  if (kind === "bot" && bot) return words.named("bots", bot);
  return words.say(kind === "open" ? "open_seat" : "gnome", { seat: seat + 1 });
}

/** @param {any} props */
export function Crew({ state, words, signs, onAsk, onGnome }) {
  const outcome = state.result?.seats;
  return html`<ol class="crew-list" data-many=${state.gnomes.length >= MANY}>
    ${state.gnomes.map((/** @type {any} */ gnome, /** @type {number} */ seat) => {
      const isAboard = ["alive", "fainted"].includes(gnome.state);
      const notes = [
        state.you.seats.includes(seat) && words.say("you"),
        state.seats[seat].away && words.say("away"),
        gnome.state !== "alive" && words.named("conditions", gnome.state),
        outcome && words.say(outcome[seat]),
      ].filter(Boolean);
      return html`<li key=${seat} class="crew-gnome" data-state=${gnome.state} data-decides=${state.decision?.seat === seat} aria-current=${state.decision?.seat === seat ? "true" : undefined}>
        <span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span>
        <strong>${onGnome ? html`<button type="button" class="held" onClick=${() => onGnome(seat)}><bdi>${nameOf(state, seat, words)}</bdi></button>` : html`<bdi>${nameOf(state, seat, words)}</bdi>`}</strong>
        <span class="crew-notes">${notes.join(" · ")}</span>
        ${isAboard && html`<span class="crew-where">${words.named("rooms", gnome.room)} · ${words.say("min", { minutes: gnome.minutes })}</span>`}
        ${isAboard && html`<span class="cups" role="img" aria-label=${words.say("intoxication", { intoxication: gnome.intoxication })}>${Array.from({ length: MOST_INTOXICATED }, (_, at) => html`<i class=${at < gnome.intoxication ? "full" : ""}></i>`)}</span>`}
        <span class="crew-items">${heldBy(gnome, words, signs, onAsk)}</span>
      </li>`;
    })}
  </ol>`;
}

/** @param {any} gnome @param {import("../core/words.js").Words} words @param {any} signs @param {(kind: string, id: string) => void} onAsk */
function heldBy(gnome, words, signs, onAsk) {
  if (!gnome.items) return html`<span class="faint">${words.say("hidden_items", { count: gnome.hand })}</span>`;
  const held = Object.entries(gnome.items);
  if (!held.length) return html`<span class="faint">${words.say("no_items")}</span>`;
  return held.map(([item, count]) => html`<button type="button" class="held" title=${words.named("items", item)} onClick=${() => onAsk("items", item)}><${Sign} inner=${signs.items[item]} /><span class="held-name">${words.named("items", item)}</span>${Number(count) > 1 ? ` ×${count}` : ""}</button>`);
}

/** @param {import("contract").components["schemas"]["Game"]} state @param {number} seat @param {import("../core/words.js").Words} words */
export const called = (state, seat, words) => `${isolated(nameOf(state, seat, words))} (${seat + 1})`;
