// Rates and differences of a match: as charts, and as tables for whoever wants numbers.

import { $, el } from "./dom.js";
import { amount, change, count, named, percent, precise, say, step } from "./words.js";
import { Whiskers } from "./whiskers.js";

const RANGES = [0.05, 0.1, 0.25, 0.5, 1]; // of differences

export const tallies = (series) =>
  ["crew", "against"].flatMap((kind) => (series[kind] ? [{ kind, gnomes: series.rules.gnomes, ...series[kind] }] : []));

// The first cell names the row. Roles stay where rows are drawn as cards.
export function row(cells) {
  const [first, ...rest] = cells.map((cell) => (cell instanceof Node ? cell : String(cell)));
  return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, first), ...rest.map((cell) => el("td", { role: "cell" }, cell)));
}

// The rows of a table. On a phone each is a small card, whose cells tell the names of their columns.
export function fill(id, rows) {
  const names = [...$(id).closest("table").querySelectorAll("thead th")].map((head) => head.textContent);
  for (const { cells } of rows) for (const [at, cell] of [...cells].entries()) cell.dataset.name = names[at];
  $(id).replaceChildren(...rows);
}

const fromTo = ({ low, high }, format) => say("from_to", { low: format(low), high: format(high) });

export class Rates {
  constructor() {
    this.chart = new Whiskers($("rates-chart"), { format: percent });
  }

  show(match) {
    const groups = match.series.map((series) => ({
      label: say("gnomes_of", { gnomes: series.rules.gnomes }),
      marks: tallies(series)
        .filter(({ games }) => games)
        .map(({ kind, rescue_rate: at, interval }) => ({ kind, at, from: interval.low, to: interval.high })),
    }));
    const all = match.series.flatMap(tallies);
    const told = all.filter(({ games }) => games).map(({ kind, gnomes, rescue_rate: rate, interval: { low, high } }) =>
      say("rate_of", { gnomes, crew: named("line_up", kind), rate: precise(rate), low: precise(low), high: precise(high) }),
    );
    this.chart.show(groups, 0, 1, told.join(" ") || say("no_result"));
    fill("rates", all.map(({ kind, gnomes, games, rescues, rescue_rate: rate, interval }) => {
      const numbers = games ? [precise(rate), fromTo(interval, precise)] : ["–", "–"];
      return row([gnomes, named("line_up", kind), ...numbers, count(games), count(rescues)]);
    }));
  }
}

export class Differences {
  constructor() {
    this.chart = new Whiskers($("difference-chart"), { format: step });
  }

  show(match) {
    const played = match.series.filter(({ pairs }) => pairs.played);
    const reach = Math.max(...played.flatMap(({ pairs }) => [pairs.interval.low, pairs.interval.high].map(Math.abs)), 0);
    const range = RANGES.find((each) => each >= reach) ?? 1;
    const groups = played.map(({ rules, pairs: { difference: at, interval: { low: from, high: to } } }) => ({
      label: say("gnomes_of", { gnomes: rules.gnomes }),
      marks: [{ kind: "crew", at, from, to }],
    }));
    const told = played.map(({ rules: { gnomes }, pairs: { difference, interval: { low, high } } }) =>
      say("difference_of", { gnomes, rate: change(difference), low: change(low), high: change(high) }),
    );
    this.chart.show(groups, -range, range, told.join(" ") || say("no_result"));
    fill("pairs", match.series.map(({ rules, pairs }) => {
      const numbers = pairs.played ? [change(pairs.difference), fromTo(pairs.interval, change)] : ["–", "–"];
      const only = [pairs.rescued_by_crew_only, pairs.rescued_by_against_only].map(count);
      return row([rules.gnomes, ...numbers, ...only, ...(pairs.sprt ? [test(pairs.sprt)] : [])]);
    }));
  }
}

const test = ({ margin, evidence, verdict }) =>
  say("test_of", { verdict: named("verdict", verdict), margin: precise(margin), evidence: amount(evidence) });
