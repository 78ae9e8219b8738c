// The page of a match: its stream tells how it stands, and everything on the page follows from it.

import { Announcer } from "./announcer.js";
import { $ } from "./dom.js";
import { Differences, Rates, crewOf, leagueOf } from "./match_charts.js";
import { Games } from "./match_games.js";
import { showCauses, showFaults, showLengths, showPaces } from "./match_tables.js";
import { listen } from "./stream.js";
import { amount, count, duration, named, say, time } from "./words.js";

const WAITS = { gone: "waits_gone", paused: "waits_paused", version: "waits_version", deleted: "waits_deleted" };
const TOLD_PARTS = 4; // of its progress, to listeners

const page = $("match");
const path = `/v1/matches/${encodeURIComponent(page.dataset.match)}`;
const rates = new Rates();
const differences = page.querySelector("#pairs") && new Differences();
const games = new Games(path, page.dataset.asked, (error) => notice(say("failed", { reason: error.message })));
const announcer = new Announcer();
let match = null;
let over = false;
let told = "";
let frame = null;

function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = !text;
}

function badge(state, text) {
  $("badge").dataset.state = state;
  $("badge").textContent = text;
}

function show() {
  frame = null;
  showProgress();
  rates.show(match);
  differences?.show(match);
  for (const showPart of [showCauses, showLengths, showPaces, showFaults]) showPart(match);
  games.grown(match);
}

function showProgress() {
  const { status, played, total, games_per_second: speed, eta_seconds: left, error } = match;
  $("status").dataset.status = status;
  $("status").textContent = named("status", status);
  const progress = say("progress_of", { played: count(played), total: count(total) });
  $("played").textContent = progress;
  $("speed").textContent = speed ? say("speed_of", { games: amount(speed) }) : "";
  const settled = status === "finished" && played < total;
  const remaining = left == null ? "" : say("time_left", { time: duration(Math.max(1, left)) });
  $("left").textContent = settled ? say("settled") : remaining;
  $("progress").max = total;
  $("progress").value = settled ? total : played;
  if (match.crews) $("crews").textContent = leagueOf(match.crews).join(" · ");
  else $("crew").textContent = crewOf(match.crew);
  if (match.against) $("against").textContent = crewOf(match.against);
  const awaited = match.waiting_for.map(({ bot, reason, since }) =>
    say(WAITS[reason] ?? WAITS.gone, { bot: named("bot", bot), time: time(since) }));
  $("waiting").hidden = !awaited.length;
  $("waiting").textContent = awaited.join(" ");
  $("error").hidden = !error;
  if (error) $("error").textContent = say("error_of", { ...error, number: String(error.number) });
  const news = `${status} ${Math.floor((TOLD_PARTS * played) / total)}`;
  if (told !== news) announcer.add(say("told", { status: named("status", status), progress }));
  told = news;
}

function hear(line) {
  if (line.type === "match_deleted") return deleted();
  if (line.type !== "match") return;
  ({ match } = line);
  over = match.ended_at !== null;
  if (over) badge("over", say("match_over"));
  else badge("live", say("match_live"));
  frame ??= requestAnimationFrame(show); // not while nobody looks
}

function deleted() {
  over = true;
  badge("deleted", say("match_deleted"));
  notice(say("match_deleted"));
}

listen(`${path}/stream`, {
  hear,
  isLast: (line) => line.type === "match_deleted" || (line.type === "match" && line.match.ended_at !== null),
  opened: () => match && !over && badge("live", say("match_live")),
  lost: () => !over && badge("reconnecting", say("reconnecting")),
  isGone: async () => (await fetch(path).catch(() => null))?.status === 404,
  gone: deleted,
});
