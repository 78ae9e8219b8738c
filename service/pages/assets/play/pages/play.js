// The page to play on: one screen with the board, what can be done, and what has happened.

import { Board } from "../board/board.js";
import { Strip, Tracks } from "../board/strip.js";
import { relieves } from "../core/foresight.js";
import { captions } from "../core/playback.js";
import { Player } from "../core/player.js";
import { Crew } from "../sheet/crew.js";
import { Explain } from "../sheet/explain.js";
import { Log } from "../sheet/log.js";
import { html, render } from "../vendor/preact.js";
import { announce, begin, takeFragment } from "./begin.js";
import { notify, play, showTurn, soundOf } from "./calls.js";
import { keepBack } from "./play_back.js";
import { boardFacts } from "./play_board.js";
import { lessonFor } from "./play_coach.js";
import { Curtain } from "./play_curtain.js";
import { Sheet } from "./play_sheet.js";
import { Status } from "./play_status.js";

const page = begin();
const { words, store, api, root } = page;
const game = decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const wide = matchMedia("(min-width: 900px)");

const given = takeFragment();
const token = given.get("token");
if (token) store.keep(game, { token });

/** @type {{ tab: string, explained: { kind: string, id: string } | null, trouble: string, hatches: boolean }} */
const view = { tab: "turn", explained: null, trouble: "", hatches: false };
const title = document.title;

const player = new Player({
  api,
  store,
  game,
  redraw,
  theme: () => (dark.matches ? "dark" : "light"),
  isStill: () => still.matches,
  told: (scene) => {
    announce(captions(scene).map(({ text }) => text).slice(-6).join(" "));
    const sound = store.likes().sounds && soundOf(scene);
    if (sound) play(sound);
  },
  asked: () => {
    announce(words.say("your_turn_now"));
    if (store.likes().sounds) play("turn");
    if (store.likes().notify) notify(words.say("your_turn_now"), player.state.name || title, game);
    view.tab = "turn";
    redraw();
  },
});

const holdBack = keepBack(player);
let frame = 0;
function redraw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

/** @param {string} kind @param {string} id */
function ask(kind, id) {
  const pointed = /** @type {Record<string, any>} */ ({ items: { type: "item", item: id }, tracks: { type: "track", track: id } })[kind];
  if (player.pointing && pointed) return void player.pointAt(pointed);
  view.explained = { kind, id };
  redraw();
}

function draw() {
  const { state, rules } = player;
  holdBack();
  const calls = player.session.isMine && player.isPresent;
  showTurn(calls);
  document.title = calls ? `● ${words.say("your_turn_now")} – ${title}` : title;
  if (!state || !rules) {
    return render(html`<${Waiting} trouble=${view.trouble} />`, root);
  }
  words.learn(rules.words);
  if (player.session.curtain && (player.isPresent || player.session.isVeiled)) return render(html`<${Curtain} player=${player} words=${words} />`, root);
  const seats = state.you.seats;
  const decides = state.decision?.seat;
  const seat = decides !== undefined && seats.includes(decides) ? decides : (seats[0] ?? state.active);
  const facts = boardFacts(player, words, wide.matches || view.hatches, ask);
  const ghost = player.isPresent ? (player.sum?.ghost ?? null) : null;
  return render(
    html`<div class="table" data-tab=${view.tab} data-version=${state.version} data-asks=${player.isAsking} data-coach=${lessonFor(player)?.step}>
      <${Status} player=${player} words=${words} game=${game} asked=${page.asked} store=${store} redraw=${redraw} />
      <${Board}
        svg=${player.svg}
        view=${wide.matches ? "ring" : "hull"}
        geometry=${player.geometry}
        ...${facts}
        walk=${player.walk}
        label=${words.say("board")}
      />
      <div class="gauges">
        <${Strip} state=${state} rules=${rules} signs=${page.signs} words=${words} seat=${seat} ghost=${ghost} onAsk=${ask} />
        <${Tracks} state=${state} relieved=${player.isPresent && relieves(player.action?.type)} signs=${page.signs} words=${words} onAsk=${ask} />
      </div>
      <nav class="tabs" aria-label=${words.say("panels")}>
        ${["turn", "crew", "log"].map(
          (tab) => html`<button type="button" aria-pressed=${String(view.tab === tab)} onClick=${() => {
            view.tab = tab;
            redraw();
          }}>${words.say(`tab_${tab}`)}</button>`,
        )}
      </nav>
      <section class="panel-turn" aria-label=${words.say("tab_turn")}>
        <${Sheet} player=${player} words=${words} signs=${page.signs} asked=${page.asked} store=${store} view=${view} onAsk=${ask} redraw=${redraw} />
      </section>
      <div class="side"><section class="panel-crew" aria-label=${words.say("tab_crew")}><${Crew} state=${state} words=${words} signs=${page.signs} onAsk=${ask} onGnome=${player.pointing && ((/** @type {number} */ seat) => player.pointAt({ type: "gnome", seat }))} /></section>
      <section class="panel-log" aria-label=${words.say("tab_log")}><${Log} events=${player.session.events} upTo=${player.isPresent ? Infinity : player.seen} words=${words} onAsk=${ask} /></section></div>
      ${view.explained && html`<${Explain} ...${view.explained} more="" words=${words} asked=${page.asked} onClose=${() => {
        view.explained = null;
        redraw();
      }} />`}
    </div>`,
    root,
  );
}

/** @param {{ trouble: string }} props */
function Waiting({ trouble }) {
  return html`<section class="trouble"><h1>${trouble ? words.say("no_game") : words.say("connecting")}</h1>
    ${trouble && html`<p>${trouble}</p><p><a class="button" href=${`/${page.asked}`}>${words.say("to_games")}</a></p>`}</section>`;
}

dark.addEventListener("change", () => player.repaint());
wide.addEventListener("change", redraw);
addEventListener("pageshow", (event) => event.persisted && player.session.renew());
document.addEventListener("visibilitychange", () => document.hidden || player.session.renew());
addEventListener("hashchange", () => {
  const again = takeFragment().get("token");
  if (!again) return;
  store.keep(game, { token: again });
  location.reload();
});

draw();
player.begin().catch((error) => {
  view.trouble = error.message;
  draw();
});
