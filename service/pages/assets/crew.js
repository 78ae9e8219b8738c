// The gnomes: who they are, where, how long they have, what they hold; and who must decide.

import { $, el } from "./dom.js";
import { isolated, named, say, time } from "./words.js";

const MOST_INTOXICATED = 4;
const LONGEST = 60; // minutes

export function showCrew(state, story) {
  const called = new Map(state.players.map((player) => [player.id, player.name]));
  const decider = state.decision?.seat;
  const gnomes = state.gnomes.map((gnome, seat) =>
    card(gnome, state.seats[seat], called, {
      decides: seat === decider,
      mine: state.you.seats.includes(seat),
      outcome: state.result?.seats[seat],
    }),
  );
  $("gnomes").replaceChildren(...gnomes);
  $("decision").replaceChildren(...decision(state, called, story));
  $("crew").hidden = false;
}

export function nameOf(seat, called) {
  if (seat.player_id && called.has(seat.player_id)) return called.get(seat.player_id);
  return seat.kind === "bot" ? named("bot", seat.bot) : say(seat.kind === "open" ? "open" : "seat", { seat: seat.seat + 1 });
}

function decision(state, called, story) {
  if (state.result) {
    const { crew, cause } = state.result;
    if (crew === "rescued") return [el("strong", { class: crew }, say("rescued"))];
    return [el("strong", { class: crew }, say("boat_lost")), ` ${named("cause", cause)}`];
  }
  if (!state.decision) return [say("waiting")];
  const { seat, kind, deadline } = state.decision;
  const who = isolated(`${nameOf(state.seats[seat], called)} (${seat + 1})`);
  const thinks = state.version === story.present && story.thinking === seat;
  const parts = [badge(seat), el("strong", {}, say(thinks ? "thinks" : "decides", { who })), ` ${named("phase", kind)}`];
  if (deadline) parts.push(` · ${say("until", { time: time(deadline) })}`);
  return parts;
}

const badge = (seat) => el("span", { class: "seat", "data-seat": seat, "aria-hidden": "true" }, String(seat + 1));

function card(gnome, seat, called, { decides, mine, outcome }) {
  const aboard = ["alive", "fainted"].includes(gnome.state);
  const notes = [
    mine && say("you"),
    seat.player_id && seat.kind === "bot" && `${say("bot")} ${named("bot", seat.bot)}`,
    seat.away && say("away"),
    gnome.state !== "alive" && named("condition", gnome.state),
    outcome && say(outcome),
  ].filter(Boolean);
  return el(
    "li",
    { class: "gnome", "data-state": gnome.state, "data-decides": decides, "aria-current": decides && "true" },
    badge(seat.seat),
    el("div", { class: "who" }, el("strong", {}, el("bdi", {}, nameOf(seat, called))), ...notes.map((note) => el("span", { class: "note" }, note))),
    aboard && el("div", { class: "where" }, named("room", gnome.room)),
    aboard && minutes(gnome.minutes),
    aboard && intoxication(gnome.intoxication),
    el("ul", { class: "items" }, ...items(gnome)),
  );
}

function minutes(left) {
  const bar = el("progress", { max: LONGEST, value: left, "aria-label": say("minutes_left", { minutes: left }) });
  return el("div", { class: "minutes" }, bar, say("minutes", { minutes: left }));
}

function intoxication(level) {
  const cups = Array.from({ length: MOST_INTOXICATED }, (_, at) => el("i", { class: at < level ? "full" : "" }));
  return el("div", { class: "cups", role: "img", "aria-label": say("intoxication", { intoxication: level }) }, ...cups);
}

function items(gnome) {
  if (!gnome.items) return [el("li", { class: "hidden-items" }, say("hidden_items", { count: gnome.hand }))];
  const held = Object.entries(gnome.items);
  if (!held.length) return [el("li", { class: "none" }, say("no_items"))];
  return held.map(([item, count]) => el("li", {}, named("item", item), count > 1 && ` ×${count}`));
}
