// What every page of the client begins with: its words, the service, what this browser remembers.

import { Api } from "../core/api.js";
import { browserStorage, Store } from "../core/store.js";
import { Words } from "../core/words.js";

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export function begin() {
  const root = at("client");
  const { lang = "en", asked = "" } = root.dataset;
  const { signs, ...texts } = JSON.parse(at("words").textContent ?? "{}");
  const words = new Words(texts, lang);
  return { root, lang, asked, signs, words, api: new Api(lang, { problems: texts.problems }), store: new Store(browserStorage()) };
}

/** Tells who listens with a screen reader. @param {string} text */
export function announce(text) {
  at("announcer").textContent = text;
}

/** The tokens in the address, which are taken out of it: they are nobody's to read over a shoulder. */
export function takeFragment() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  return fragment;
}

/** A link that brings its own secret, which browsers never send. @param {string} path @param {Record<string, string>} secret */
export const linkTo = (path, secret) => `${location.origin}${path}#${new URLSearchParams(secret)}`;
