// A friend's link: a name, one button, and on to the board.

import { html, render } from "../vendor/preact.js";
import { begin, takeFragment } from "./begin.js";

const page = begin();
const { words, api, store, root } = page;
const given = takeFragment();
const game = given.get("g") ?? "";
const invitation = given.get("i");
const known = store.seat(game);
const form = { name: store.likes().name ?? "", isBusy: false, problem: "" };

/** @param {Event} event */
async function join(event) {
  event.preventDefault();
  const name = form.name.trim() || words.say("you_name");
  store.like({ name });
  Object.assign(form, { isBusy: true, problem: "" });
  draw();
  try {
    const { token } = await api.send(`/v1/games/${encodeURIComponent(game)}/players`, invitation ? { name, invitation } : { name }, null);
    store.keep(game, { token });
    location.replace(`/play/${game}${page.asked}`);
  } catch (error) {
    Object.assign(form, { isBusy: false, problem: /** @type {Error} */ (error).message });
    draw();
  }
}

function draw() {
  render(
    html`<form class="join" onSubmit=${join}>
      <h1>${words.say("invited")}</h1>
      <p class="tagline">${words.say("invited_what")}</p>
      <label class="field">${words.say("your_name")}<input type="text" maxlength="60" autocomplete="nickname" value=${form.name} placeholder=${words.say("you_name")} onInput=${(/** @type {any} */ event) => (form.name = event.target.value)} /></label>
      ${form.problem && html`<p class="notice" role="alert">${form.problem}</p>`}
      <button type="submit" id="join" class="primary big" disabled=${form.isBusy || !game}>${words.say("come_aboard")}</button>
    </form>`,
    root,
  );
}

if (known?.token) location.replace(`/play/${game}${page.asked}`);
else draw();
