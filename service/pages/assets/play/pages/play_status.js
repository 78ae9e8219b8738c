// The line above all: who decides, whether the service is heard, and what else there is to do with this game.

import { called, nameOf } from "../sheet/crew.js";
import { Invite } from "../sheet/invite.js";
import { html } from "../vendor/preact.js";
import { linkTo } from "./begin.js";
import { mayNotify, play } from "./calls.js";

/** @param {any} props */
export function Status({ player, words, game, asked, store, redraw }) {
  const { state, session } = player;
  const isSpoiler = session.line === "over" && !(state.result && player.isPresent); // the end is still to be played back
  return html`<header class="status">
    <h1 class="unseen">${state.name || words.say("unnamed")}</h1>
    <p class="status-who">${whoDecides(player, words)}</p>
    ${!isSpoiler && html`<p class="badge" data-state=${session.line} role="status">${words.say(`line_${session.line}`)}</p>`}
    <details class="more">
      <summary aria-label=${words.say("more")} title=${words.say("more")}>⋯</summary>
      <div class="more-box">
        <p><strong><bdi>${state.name || words.say("unnamed")}</bdi></strong></p>
        ${session.token && html`<p><button type="button" onClick=${() => player.again()}>${words.say("since_last")}</button></p>`}
        <${Calls} store=${store} words=${words} redraw=${redraw} />
        <p><a href=${`/watch/${game}${asked}`}>${words.say("watch_whole")}</a></p>
        ${session.token && html`<p>${words.say("other_device")}</p>
          <p><button type="button" onClick=${() => copy(linkTo(`/play/${game}`, { token: session.token }))}>${words.say("copy_link")}</button></p>
          <p><button type="button" onClick=${() => forget()}>${words.say("forget_here")}</button></p>`}
        ${player.host && state.status === "playing" && html`<${Replacements} player=${player} words=${words} redraw=${redraw} />`}
        <p><a href=${`/${asked}`}>${words.say("to_games")}</a></p>
      </div>
    </details>
  </header>`;

  /** @param {string} link */
  async function copy(link) {
    try {
      await navigator.clipboard.writeText(link);
      player.notice = "copied";
    } catch {
      player.shownLink = link;
    }
    redraw();
  }

  function forget() {
    store.forget(game);
    location.assign(`/${asked}`);
  }
}

/** What calls a player who looks elsewhere: nothing, until they want it. @param {any} props */
function Calls({ store, words, redraw }) {
  const { sounds = false, notify = false } = store.likes();
  const like = (/** @type {Record<string, boolean>} */ likes) => {
    store.like(likes);
    redraw();
  };
  return html`<label class="field check"><input type="checkbox" checked=${sounds} onChange=${(/** @type {any} */ event) => {
      like({ sounds: event.target.checked });
      if (event.target.checked) play("turn");
    }} /> ${words.say("sounds")}</label>
    <label class="field check"><input type="checkbox" checked=${notify} onChange=${async (/** @type {any} */ event) => like({ notify: event.target.checked && (await mayNotify()) })} /> ${words.say("notify")}</label>`;
}

/** Friends who come later take a bot's place. @param {any} props */
function Replacements({ player, words, redraw }) {
  const { state } = player;
  const bots = state.seats.filter((/** @type {any} */ { kind, player_id: id }) => kind === "bot" && !id);
  if (!bots.length) return null;
  return html`<details class="replace"><summary>${words.say("invite_later")}</summary>${bots.map(
    (/** @type {any} */ { seat }) => html`<div key=${seat} class="replace-seat"><p class="lobby-who"><span class="seat" data-seat=${seat}>${seat + 1}</span> ${nameOf(state, seat, words)}</p><${Invite} player=${player} seat=${seat} words=${words} redraw=${redraw} /></div>`,
  )}</details>`;
}

/** @param {import("../core/player.js").Player} player @param {import("../core/words.js").Words} words */
function whoDecides(player, words) {
  const { state, session } = player;
  if (!player.isPresent) return html`<strong>${words.say("watching_past")}</strong>`;
  if (state.status === "waiting") return html`<strong>${words.say("lobby")}</strong>`;
  if (state.result) return html`<strong class=${state.result.crew}>${words.say(state.result.crew === "rescued" ? "rescued" : "boat_lost")}</strong>`;
  if (!state.decision) return "";
  const { seat, kind, deadline } = state.decision;
  const until = deadline ? ` · ${words.say("until", { time: words.time(Date.parse(deadline)) })}` : "";
  const said = session.isMine ? words.say("your_turn") : words.say("decides", { who: called(state, seat, words) });
  return html`<span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span> <strong>${said}</strong> <span class="faint status-kind">${words.named("phases", kind)}</span><span class="faint">${until}</span>`;
}
