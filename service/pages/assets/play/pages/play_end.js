// The end of a game: who won, why, and what next.

import { html } from "../vendor/preact.js";

/** @param {any} props */
export function Ended({ player, words, asked, redraw }) {
  const { result, id, rematch_id: next } = player.session.state;
  const again = async () => {
    try {
      location.assign(`/play/${await player.rematch()}${asked}`);
    } catch (error) {
      player.problem = /** @type {Error} */ (error).message;
      redraw();
    }
  };
  return html`<div class="sheet-body ended">
    <h2 class=${result.crew}>${words.say(result.crew === "rescued" ? "rescued" : "boat_lost")}</h2>
    <p>${words.meaning("causes", result.cause) || words.named("causes", result.cause)}</p>
    <p class="ended-ways">
      ${player.session.token && html`<button type="button" class="primary" id="rematch" onClick=${again}>${words.say(next ? "to_rematch" : "rematch")}</button>`}
      <a class="button" href=${`/new${asked}`}>${words.say("play_again")}</a>
      <a class="button" href=${`/watch/${id}${asked}#play`}>${words.say("watch_whole")}</a>
      ${player.session.token && html`<button type="button" onClick=${() => player.again()}>${words.say("since_last")}</button>`}
    </p>
  </div>`;
}
