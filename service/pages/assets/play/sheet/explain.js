// What something is, for whoever taps it: its name, what it does, and the rule behind it.

import { html, useEffect, useRef } from "../vendor/preact.js";

/** @param {{ kind: string, id: string, more: string, words: import("../core/words.js").Words, asked: string, onClose: () => void }} props */
export function Explain({ kind, id, more, words, asked, onClose }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return html`<dialog class="explain" ref=${box} onClose=${onClose} aria-labelledby="explained" onClick=${(/** @type {Event} */ event) => event.target === box.current && box.current?.close()}>
    <h2 id="explained">${words.named(kind, id)}</h2>
    <p>${words.meaning(kind, id)}</p>
    ${more && html`<p>${more}</p>`}
    <p class="explain-foot"><a href=${`/rules${asked}`} target="_blank" rel="noopener">${words.say("to_rules")}</a>
      <button type="button" onClick=${() => box.current?.close()}>${words.say("close")}</button></p>
  </dialog>`;
}
