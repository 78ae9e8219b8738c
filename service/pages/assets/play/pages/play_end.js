// The end of a game: who won, why, and what next.

import { html } from "../vendor/preact.js";

/** @param {any} props */
export function Ended({ player, words, asked }) {
  const { result, id } = player.state;
  return html`<div class="sheet-body ended">
    <h2 class=${result.crew}>${words.say(result.crew === "rescued" ? "rescued" : "boat_lost")}</h2>
    <p>${words.meaning("causes", result.cause) || words.named("causes", result.cause)}</p>
    <p class="ended-ways">
      <a class="button primary" href=${`/new${asked}`}>${words.say("play_again")}</a>
      <a class="button" href=${`/watch/${id}${asked}#play`}>${words.say("watch_whole")}</a>
      ${player.session.token && html`<button type="button" onClick=${() => player.again()}>${words.say("since_last")}</button>`}
    </p>
  </div>`;
}
