// What else a match has come to: why boats were lost, how long games took, and how long bots.

import { $, el, svg } from "./dom.js";
import { amount, count, duration, named, precise, say } from "./words.js";
import { fill, lineUp, row, tallies } from "./match_charts.js";

function summed(lists) {
  const sums = new Map();
  for (const list of lists) for (const [name, value] of Object.entries(list)) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums;
}

export function showCauses(match) {
  const all = match.series.flatMap(tallies);
  const kinds = tallies(match.series[0]).map(({ kind }) => kind);
  const byKind = kinds.map((kind) => summed(all.filter((each) => each.kind === kind).map((each) => each.causes_of_loss)));
  const total = summed(byKind.map((sums) => Object.fromEntries(sums)));
  const causes = [...total.keys()].sort((one, other) => total.get(other) - total.get(one));
  const most = Math.max(1, ...byKind.flatMap((sums) => [...sums.values()]));
  const cells = (cause) => byKind.map((sums, at) => bar(kinds[at], sums.get(cause) ?? 0, most));
  fill("causes", causes.map((cause) => row([named("cause", cause), ...cells(cause)])));
  $("causes-some").hidden = !causes.length;
  $("causes-none").hidden = causes.length > 0;
}

function bar(kind, value, most) {
  const drawing = svg("svg", { class: "bar", "data-kind": kind === "against" ? kind : "crew", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  drawing.append(svg("rect", { width: ((100 * value) / most).toFixed(2), height: 10 }));
  return el("div", { class: "barred" }, el("span", {}, count(value)), drawing);
}

export function showLengths(match) {
  const cells = ({ kind, crew, gnomes, games, turns_per_game: turns, deaths_per_game: deaths }) => [
    gnomes, lineUp(kind, crew), games ? amount(turns) : "–", games ? amount(deaths) : "–",
  ];
  fill("lengths", match.series.flatMap(tallies).map((each) => row(cells(each))));
}

export function showPaces(match) {
  const all = match.series.flatMap(tallies);
  const of = (what) => summed(all.map(({ bots }) => Object.fromEntries(Object.entries(bots).map(([bot, pace]) => [bot, pace[what]]))));
  const [turns, seconds] = [of("turns"), of("seconds")];
  fill("paces", [...turns].map(([bot, taken]) =>
    row([named("bot", bot), count(taken), taken ? duration(seconds.get(bot) / taken) : "–"]),
  ));
}

export function showFaults(match) {
  const faulty = match.series.flatMap(tallies).filter(({ faults }) => faults.count);
  const items = faulty.map(({ kind, crew, gnomes, faults }) => {
    const told = faults.first.map(({ bot, seat, moves_played: moves, error }) =>
      el("li", {}, say("fault_of", { bot: named("bot", bot), seat: seat + 1, moves: count(moves), error })),
    );
    const sum = say("faults_of", { crew: lineUp(kind, crew), gnomes, count: count(faults.count) });
    return el("li", {}, sum, el("ul", { class: "inner" }, ...told));
  });
  for (const { kind, crew, gnomes, forfeits } of match.series.flatMap(tallies).filter(({ forfeits }) => forfeits.count)) {
    const told = { crew: lineUp(kind, crew), gnomes, count: count(forfeits.count), rate: precise(forfeits.rescue_rate_without) };
    items.push(el("li", {}, say("forfeits_of", told)));
  }
  $("faults").replaceChildren(...(items.length ? items : [el("li", {}, say("no_faults"))]));
}
