// What is just being shown: whose turn, the die beside what was needed, the cards that turn; and how to hurry it.

import { captions, dieOf } from "../core/playback.js";
import { nameOf } from "../sheet/crew.js";
import { tone } from "../sheet/log.js";
import { html } from "../vendor/preact.js";

const LINES = 7;
const SPEEDS = [0.5, 1, 2, 4];

/** @param {any} props */
export function Scene({ player, words }) {
  const { scene, state } = player;
  if (!scene) return null;
  const die = dieOf(scene);
  const told = captions(scene).filter(({ type }) => type !== "die_rolled" || !die).slice(-LINES);
  return html`<div class="scene" role="group" aria-label=${words.say("playback")}>
    <p class="scene-head">
      ${scene.seat != null && html`<span class="seat" data-seat=${scene.seat}>${scene.seat + 1}</span><strong><bdi>${nameOf(state, scene.seat, words)}</bdi></strong>`}
      ${die && html`<span class="die" data-well=${die.value <= die.needed} role="img" aria-label=${words.say("die", die)}>${die.value}</span><small class="needed">≤ ${die.needed}</small>`}
      <label class="speed"><span class="unseen">${words.say("speed")}</span><select value=${player.speed} onChange=${(/** @type {any} */ event) => player.setSpeed(Number(event.target.value))}>${SPEEDS.map((speed) => html`<option value=${speed}>${speed}×</option>`)}</select></label>
      <button type="button" class="skip-scenes" onClick=${() => player.skip()}>${words.say("skip_all", { count: player.playback.behind })}</button>
    </p>
    <ul>${told.map((event) => html`<li key=${event.seq} class=${tone(event)}>${event.text}</li>`)}</ul>
  </div>`;
}
