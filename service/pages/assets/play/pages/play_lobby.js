// Before the start: who is there, who is still to come, and the host's button.

import { nameOf } from "../sheet/crew.js";
import { html } from "../vendor/preact.js";
import { linkTo } from "./begin.js";

/** @param {any} props */
export function Lobby({ player, words, asked, store, redraw }) {
  const { state, session, game } = player;
  const host = store.seat(game)?.host;
  const open = state.seats.filter((/** @type {any} */ seat) => seat.kind === "open").length;
  return html`<div class="sheet-body">
      <h2>${words.say("lobby")}</h2>
      <ol class="lobby">${state.seats.map((/** @type {any} */ each, /** @type {number} */ seat) => html`<li key=${seat}><span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span> <bdi>${nameOf(state, seat, words)}</bdi> ${state.you.seats.includes(seat) && html`<small>${words.say("you")}</small>`}</li>`)}</ol>
      ${open > 0 && html`<p>${words.say("invite_what")}</p><p><code class="link">${linkTo("/join", { g: game })}</code></p>`}
      ${!session.token && open > 0 && html`<p><a class="button primary" href=${`/join${asked}#g=${game}`}>${words.say("join")}</a></p>`}
    </div>
    ${host && html`<div class="doit"><button type="button" class="primary do" id="do-it" onClick=${start}>${words.say(open ? "start_with_bots" : "start")}</button></div>`}`;

  async function start() {
    try {
      await player.api.send(`${session.path}/start`, open ? { fill_with: "captain" } : {}, host);
      await session.learn();
      player.changed([]);
    } catch (error) {
      player.problem = /** @type {Error} */ (error).message;
      redraw();
    }
  }
}
