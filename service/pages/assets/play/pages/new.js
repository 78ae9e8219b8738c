// A new game: at a click with three captains, or as one likes it.

import { open, openFirst, peopleAt, playNow, CREW } from "../core/table.js";
import { html, render } from "../vendor/preact.js";
import { begin, takeFragment } from "./begin.js";
import { Kept } from "./new_kept.js";
import { Options } from "./new_options.js";
import { isThere, Seats } from "./new_seats.js";

const page = begin();
const { words, api, store, root } = page;

/** @type {{ seats: string[], rules: Record<string, any>, seconds: number | null, isPrivate: boolean, advises: boolean, name: string, others: Record<number, string>, isBusy: boolean, problem: string, bots: any[], outside: any[] }} */
const form = {
  seats: ["me", "friend", CREW, CREW],
  rules: {},
  seconds: null,
  isPrivate: true,
  advises: true,
  name: store.likes().name ?? "",
  others: {},
  isBusy: false,
  problem: "",
  bots: [],
  outside: [],
};

/** @param {Partial<typeof form>} changed */
function change(changed) {
  Object.assign(form, changed);
  draw();
}

/** @param {() => ReturnType<typeof open>} made */
async function go(made) {
  change({ isBusy: true, problem: "" });
  try {
    const { id, seat } = await made();
    store.keep(id, seat);
    location.assign(`/play/${id}${page.asked}`);
  } catch (error) {
    change({ isBusy: false, problem: /** @type {Error} */ (error).message });
  }
}

/** @param {import("../core/table.js").Wish} wish */
const make = (wish) => go(() => open(api, wish));

const nameOr = () => form.name.trim() || words.say("you_name");

/** @param {Event} event */
function submit(event) {
  event.preventDefault();
  store.like({ name: form.name.trim() });
  const others = Object.fromEntries(form.seats.map((_, seat) => [seat, form.others[seat]?.trim() || words.say("gnome", { seat: seat + 1 })]));
  make({ seats: form.seats, name: nameOr(), others, rules: form.rules, seconds: form.seconds, isPrivate: form.isPrivate, advises: form.advises });
}

function draw() {
  const people = peopleAt(form.seats);
  const problem = form.problem || (people === null ? words.say("no_such_table") : "");
  const waits = form.seats.includes("friend");
  render(
    html`<div class="new">
      <section class="new-now">
        <h1>${words.say("new_game")}</h1>
        <p class="tagline">${words.say("now_what")}</p>
        <button type="button" id="play-now" class="primary big" disabled=${form.isBusy} onClick=${() => make(playNow(nameOr()))}>${words.say(form.isBusy ? "setting_up" : "play_now")}</button>
        <p><button type="button" id="first-game" disabled=${form.isBusy} onClick=${() => go(() => openFirst(api, nameOr()))}>${words.say("first_game")}</button> <small class="faint">${words.say("first_game_what")}</small></p>
        <${Kept} store=${store} words=${words} asked=${page.asked} onForget=${(/** @type {string} */ game) => {
          store.forget(game);
          draw();
        }} />
      </section>
      <form class="new-form" onSubmit=${submit}>
        <h2>${words.say("as_you_like")}</h2>
        <label class="field">${words.say("your_name")}<input type="text" maxlength="60" autocomplete="nickname" value=${form.name} placeholder=${words.say("you_name")} onInput=${(/** @type {any} */ event) => change({ name: event.target.value })} /></label>
        <${Seats} seats=${form.seats} bots=${form.bots} outside=${form.outside} words=${words} others=${form.others} onName=${(/** @type {number} */ seat, /** @type {string} */ name) => change({ others: { ...form.others, [seat]: name } })} onSeats=${(/** @type {string[]} */ seats) => change({ seats })} />
        <${Options} form=${form} words=${words} onChange=${change} />
        ${problem && html`<p class="notice" role="alert">${problem}</p>`}
        <button type="submit" id="make" class="primary big" disabled=${form.isBusy || people === null}>${words.say(waits ? "make_and_invite" : "make_and_start")}</button>
      </form>
    </div>`,
    root,
  );
}

draw();
const isNow = takeFragment().has("now");
if (isNow) make(playNow(nameOr()));
else {
  Promise.all([api.get(`/v1/rules?lang=${api.lang}`), api.get("/v1/bots")]).then(([rules, { bots, outside }]) => {
    words.learn(rules.words);
    change({ bots, outside: outside.filter(isThere) });
  }, (error) => change({ problem: error.message }));
}
