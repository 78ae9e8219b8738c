// What others show, in words; and what one may show them: a word that stands ready, and something on the board.

import { html } from "../vendor/preact.js";

/** @param {any} props */
export function Shown({ player }) {
  const shown = player.shownByOthers.filter((/** @type {any} */ { text }) => text);
  return shown.length ? html`<ul class="signals">${shown.map((/** @type {any} */ { seat, text }) => html`<li key=${seat}><span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span> ${text}</li>`)}</ul>` : null;
}

/** To show the others something, where there are others. @param {any} props */
export function Point({ player, words }) {
  if (!player.hasCompany) return null;
  const { pointing, plan, session } = player;
  const isPlan = session.isMine && player.isMoving && !plan.isEmpty && !player.isOpeningOnly;
  return html`<details class="point openings" open=${pointing !== null} onToggle=${(/** @type {any} */ event) => player.point(event.target.open ? (pointing ?? { says: null }) : null)}>
    <summary>${words.say("show_others")}</summary>
    ${isPlan && html`<p><button type="button" class="action" id="propose" onClick=${() => player.propose(plan)}>${words.say("propose")}</button></p>`}
    <div class="actions" role="group" aria-label=${words.say("show_others")}>${Object.entries(words.game.says ?? {}).map(
      ([id, word]) => html`<button key=${id} type="button" class="action" aria-pressed=${String(pointing?.says === id)} onClick=${() => player.point({ says: pointing?.says === id ? null : id })}>${/** @type {any} */ (word).name}</button>`,
    )}</div>
    <p class="faint">${words.say("point_what")}</p>
    ${pointing?.says && html`<p><button type="button" class="action" id="say" onClick=${() => player.showOthers({})}>${words.say("only_say")}</button></p>`}
  </details>`;
}
