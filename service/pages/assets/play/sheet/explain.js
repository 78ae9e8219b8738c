// What something is, for whoever taps it: its name, what it does, and the rule behind it.

import { html, useLayoutEffect, useRef } from "../vendor/preact.js";

const RULES = /** @type {Record<string, number>} */ ({ rooms: 1, items: 1, tracks: 1, tokens: 1, cards: 7 }); // sections of the rulebook

/** @param {{ kind: string, id: string, more: string, words: import("../core/words.js").Words, asked: string, onClose: () => void }} props */
export function Explain({ kind, id, more, words, asked, onClose }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    box.current?.showModal();
  }, []);
  return html`<dialog class="explain" ref=${box} onClose=${onClose} aria-labelledby="explained" onClick=${(/** @type {Event} */ event) => event.target === box.current && box.current?.close()}>
    <h2 id="explained">${words.named(kind, id)}</h2>
    <p>${words.meaning(kind, id)}</p>
    ${more && html`<p>${more}</p>`}
    <p class="explain-foot"><a href=${`/rules${asked}#s${RULES[kind] ?? 1}`} target="_blank" rel="noopener">${words.say("to_rules")} (§${RULES[kind] ?? 1})</a>
      <button type="button" onClick=${() => box.current?.close()}>${words.say("close")}</button></p>
  </dialog>`;
}
