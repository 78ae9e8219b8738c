// Before the start: who is there, who is still to come by which link, and the host's button.

import { nameOf } from "../sheet/crew.js";
import { Invite } from "../sheet/invite.js";
import { html } from "../vendor/preact.js";

/** @param {any} props */
export function Lobby({ player, words, redraw }) {
  const { state, session, host } = player;
  const open = state.seats.filter((/** @type {any} */ seat) => seat.kind === "open").length;
  return html`<div class="sheet-body">
      <h2>${words.say("lobby")}</h2>
      <ol class="lobby">${state.seats.map(
        (/** @type {any} */ each, /** @type {number} */ seat) => html`<li key=${seat}>
          <p class="lobby-who"><span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span> <bdi>${nameOf(state, seat, words)}</bdi>
          ${state.you.seats.includes(seat) && html`<small>${words.say("you")}</small>`}</p>
          ${host && each.kind === "open" && html`<${Invite} player=${player} seat=${seat} words=${words} redraw=${redraw} />`}
        </li>`,
      )}</ol>
      ${!host && html`<p class="faint">${words.say("host_starts")}</p>`}
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
