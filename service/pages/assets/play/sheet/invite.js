// A friend's way in: a link and its picture for a seat, made when the host asks for it, taken back when they like.

import { qrOf } from "../core/qr.js";
import { html } from "../vendor/preact.js";

const QUIET = 3; // modules around a QR code

/** @param {{ link: string, label: string }} props */
export function Qr({ link, label }) {
  const rows = qrOf(link);
  if (!rows) return null;
  const size = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${label}><rect width=${size} height=${size} fill="#fff" /><path d=${dark.join("")} fill="#000" /></svg>`;
}

/** @param {any} props */
export function Invite({ player, seat, words, redraw }) {
  const made = player.invited[seat];
  if (!made) return html`<button type="button" class="invite" onClick=${() => invite(player, seat, redraw)}>${words.say("invite")}</button>`;
  return html`<div class="invited">
    <${Qr} link=${made.link} label=${words.say("qr")} />
    <div><p>${words.say("invite_what")}</p><p><code class="link">${made.link}</code></p>
      <p class="invite-ways">${navigator.share && html`<button type="button" onClick=${() => navigator.share({ title: "Red November", url: made.link }).catch(() => {})}>${words.say("share")}</button>`}
      <button type="button" onClick=${() => copy(player, made.link, redraw)}>${words.say("copy_link")}</button>
      <button type="button" onClick=${() => revoke(player, seat, redraw)}>${words.say("revoke")}</button></p></div>
  </div>`;
}

/** @param {any} player @param {number} seat @param {() => void} redraw */
async function invite(player, seat, redraw) {
  try {
    await player.invite(seat, location.origin);
  } catch (error) {
    player.problem = /** @type {Error} */ (error).message;
  }
  redraw();
}

/** @param {any} player @param {number} seat @param {() => void} redraw */
async function revoke(player, seat, redraw) {
  try {
    await player.revoke(seat);
  } catch (error) {
    player.problem = /** @type {Error} */ (error).message;
  }
  redraw();
}

/** @param {any} player @param {string} link @param {() => void} redraw */
async function copy(player, link, redraw) {
  try {
    await navigator.clipboard.writeText(link);
    player.notice = "copied_invitation";
  } catch {
    player.notice = ""; // the link can be marked and copied by hand
  }
  redraw();
}
