// The page of one game: what happened comes in by a stream, and everything on the page follows from it.

import { addressOf, readAddress, writeAddress } from "./address.js";
import { Announcer } from "./announcer.js";
import { Api } from "./api.js";
import { $ } from "./dom.js";
import { isNews, Log } from "./log.js";
import { Odds } from "./odds.js";
import { Story } from "./story.js";
import { follow } from "./stream.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";
import { say } from "./words.js";

const page = $("watch");
const { version: asked, play, token } = readAddress();
if (token) writeAddress(asked); // out of sight, and out of reach of whoever reads along

function notice(text, kind = "trouble") {
  $("notice").textContent = text;
  $("notice").dataset.kind = kind;
  $("notice").hidden = !text;
}

const failed = (error) => notice(say("failed", { reason: error.message }), "failed");

const NO_TOKEN = ["bad_token", "token_revoked"];

// The token goes with whoever follows the link; it never stands in the page.
function leadToTable() {
  const link = $("to-table");
  link.href = `/play/${page.dataset.game}${location.search}`;
  link.onclick = (event) => {
    event.preventDefault();
    location.assign(`${link.href}#${new URLSearchParams({ token })}`);
  };
}

async function begin() {
  let api = new Api(page.dataset.game, page.dataset.lang, token);
  try {
    const { you } = await api.state();
    if (you.seats.length) leadToTable();
  } catch (error) {
    if (NO_TOKEN.includes(error.code)) {
      api = new Api(page.dataset.game, page.dataset.lang);
      await api.state();
      notice(say("bad_token"));
    } else throw error;
  }
  if (api.token) {
    notice(say("as_player"), "hint");
    $("to-table").hidden = !$("to-table").hasAttribute("href");
    $("board-link").removeAttribute("href"); // the board alone has no token, and going back would lose this one
  }
  return api;
}

function watch(api) {
  const story = new Story();
  const view = new View(api, story, (error) => {
    if (error) failed(error);
    else if ($("notice").dataset.kind === "failed") notice("");
  });
  const log = new Log((version) => timeline.goTo(version));
  const odds = new Odds(api, story, (stop) => timeline.go(stop));
  const announcer = new Announcer();
  let epoch = null;
  let caughtUp = false;
  let frame = null;

  const timeline = new Timeline(
    story,
    (version) => {
      log.mark(version);
      odds.show(version);
      hideEnd();
      $("permalink").href = addressOf(version);
      return view.show(version);
    },
    (version) => writeAddress(version),
  );

  function badge(state) {
    $("badge").dataset.state = state;
    $("badge").textContent = say(state);
    hideEnd();
  }

  // Beside a moment at which the game goes on, nothing tells that it is over.
  function hideEnd() {
    $("badge").hidden = $("badge").dataset.state === "over" && timeline.version < story.ended;
  }

  function add(event) {
    if (!story.add(event)) return;
    log.add(event);
    if (caughtUp && timeline.live && isNews(event)) announcer.add(event.text);
  }

  async function fill(seq) {
    while (story.seq < seq) {
      const { events } = await api.events(story.seq);
      if (!events.length) return;
      events.forEach(add);
    }
  }

  // The stream begins with the state: what happened before is asked for, page by page.
  async function catchUp({ state, seq }) {
    if (epoch !== null && state.epoch !== epoch) {
      for (const each of [story, view, odds]) each.forget();
      log.clear();
      api.fresh = true;
      notice(say("went_back"));
    }
    epoch = state.epoch;
    await fill(seq);
    $("name").textContent = state.name || say("unnamed", { id: state.id });
    document.title = `${$("name").textContent} – ${document.querySelector(".brand").textContent}`;
    if (!caughtUp) appear();
  }

  function appear() {
    caughtUp = true;
    $("history").hidden = false;
    if (asked != null) timeline.goTo(asked);
    else if (play) timeline.play();
    else if (story.over) timeline.go(0); // who comes later wants to see how it went, not how it ended
    addEventListener("hashchange", () => {
      const { version } = readAddress();
      if (version != null) timeline.goTo(version);
    });
  }

  async function hear(line) {
    if (line.type === "game_deleted") {
      badge("deleted");
      notice(say("deleted"));
      return;
    }
    if (line.type === "token_revoked") {
      notice(say("bad_token"));
      return;
    }
    if (line.type === "reconnect") return;
    if (line.type === "state") await catchUp(line);
    else await fill(line.seq - 1); // nothing, unless an earlier page could not be had
    add(line);
    badge(story.over ? "over" : "live");
    frame ||= requestAnimationFrame(grow);
  }

  // Once for all that comes in at a time; and not while nobody looks.
  function grow() {
    frame = null;
    $("timeline").hidden = !story.started;
    timeline.grown();
    odds.refresh();
  }

  follow(api, hear, () => !story.over && badge("reconnecting"));
}

// The language changes with another page; the token goes with it, as it came.
for (const link of document.querySelectorAll("[data-language]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const hash = new URLSearchParams(location.hash.slice(1));
    if (token) hash.set("token", token);
    location.assign(`?lang=${link.lang}${hash.size ? `#${hash}` : ""}`);
  });
}

function refused(error) {
  if (error.code !== "no_such_game") return failed(error);
  page.hidden = true;
  $("missing").hidden = false;
}

// Where nothing is to be seen for everybody, a token may still show it.
if (!page.hidden || token) {
  begin().then((api) => {
    $("missing").hidden = true;
    page.hidden = false;
    watch(api);
  }, refused);
}
