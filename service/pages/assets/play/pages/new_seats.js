// Who sits where: you, a friend by link, or a bot, with how often its crews save the boat.

import { CREW } from "../core/table.js";
import { html } from "../vendor/preact.js";

const FEWEST = 3;
const MOST = 8;

/** Whether a bot of somebody else's would take a seat now. @param {any} bot */
export const isThere = (bot) => bot.connected && !bot.paused && bot.accepts === "anybody";

/** @param {any} props */
export function Seats({ seats, bots, outside, others, words, onSeats, onName }) {
  /** @param {number} count */
  const resize = (count) => onSeats([...seats, ...Array(MOST).fill(CREW)].slice(0, count));
  /** @param {any} bot */
  const rate = (bot) => bot.strength.find((/** @type {any} */ each) => each.gnomes === seats.length)?.rescue_rate;
  return html`<fieldset class="new-seats">
    <legend>${words.say("who_sits")}</legend>
    <label class="field">${words.say("how_many_gnomes")}<input type="range" min=${FEWEST} max=${MOST} value=${seats.length} onInput=${(/** @type {any} */ event) => resize(Number(event.target.value))} /><output>${seats.length}</output></label>
    <ol>
      ${seats.map(
        (/** @type {string} */ sitter, /** @type {number} */ seat) => html`<li key=${seat}>
          <label><span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span><span class="unseen">${words.say("gnome", { seat: seat + 1 })}</span>
          <select value=${sitter} onChange=${(/** @type {any} */ event) => onSeats(seats.with(seat, event.target.value))}>
            <option value="me">${words.say("sits_me")}</option>
            <option value="here">${words.say("sits_here")}</option>
            <option value="friend">${words.say("sits_friend")}</option>
            ${bots.map((/** @type {any} */ bot) => html`<option key=${bot.name} value=${bot.name}>${words.named("bots", bot.name)} – ${words.say("saves", { rate: words.percent(rate(bot) ?? 0) })}</option>`)}
            ${outside.map((/** @type {any} */ { bot, description }) => html`<option key=${bot} value=${bot} title=${description}>${words.named("bots", bot)}</option>`)}
          </select></label>
          ${sitter === "here" && html`<input type="text" maxlength="60" aria-label=${words.say("name_of", { seat: seat + 1 })} placeholder=${words.say("gnome", { seat: seat + 1 })} value=${others[seat] ?? ""} onInput=${(/** @type {any} */ event) => onName(seat, event.target.value)} />`}
        </li>`,
      )}
    </ol>
    <p class="faint">${words.say("bots_what")}</p>
  </fieldset>`;
}
