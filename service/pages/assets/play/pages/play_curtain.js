// Between two players at one device, where hands are hidden: nothing is seen until the next one says that it is they.

import { nameOf } from "../sheet/crew.js";
import { html, useEffect, useRef } from "../vendor/preact.js";

/** @param {any} props */
export function Curtain({ player, words }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => button.current?.focus(), []);
  const { session } = player;
  const { seat } = session.curtain;
  if (seat === null) return html`<section class="curtain"><h1>${words.say("pass_wait")}</h1></section>`;
  const who = nameOf(session.state, seat, words);
  return html`<section class="curtain" aria-labelledby="curtain">
    <span class="seat" data-seat=${seat} aria-hidden="true">${seat + 1}</span>
    <h1 id="curtain">${words.say("pass_to", { who })}</h1>
    <p class="faint">${words.say("pass_what")}</p>
    <button type="button" class="primary big" id="i-am" ref=${button} onClick=${() => player.liftCurtain()}>${words.say("i_am", { who })}</button>
  </section>`;
}
