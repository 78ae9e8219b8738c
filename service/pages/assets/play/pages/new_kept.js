// The games in which this browser has a seat, to go on with.

import { html } from "../vendor/preact.js";

const SHOWN = 6;

/** @param {any} props */
export function Kept({ store, words, asked, onForget }) {
  const seats = Object.entries(store.seats()).sort(([, one], [, other]) => other.at - one.at).slice(0, SHOWN);
  if (!seats.length) return null;
  return html`<section class="kept" aria-labelledby="kept">
    <h2 id="kept">${words.say("your_games")}</h2>
    <ul>${seats.map(
      ([game, seat]) => html`<li key=${game}><a href=${`/play/${game}${asked}`}><bdi>${seat.name || words.say("unnamed")}</bdi> <small>${words.day(seat.at)}</small></a>
        <button type="button" aria-label=${words.say("forget", { name: seat.name || words.say("unnamed") })} title=${words.say("forget_here")} onClick=${() => onForget(game)}>×</button></li>`,
    )}</ul>
  </section>`;
}
