// Rates and differences of a match: as charts, and as tables for whoever wants numbers.

import { $, el } from "./dom.js";
import { amount, change, count, named, percent, precise, say, step } from "./words.js";
import { Whiskers } from "./whiskers.js";

const RANGES = [0.05, 0.1, 0.25, 0.5, 1]; // of differences

const LEAGUE = "crew-"; // begins the names of a league's crews

// What each crew of a series came to.
export const tallies = ({ rules: { gnomes }, crew, against, league }) => {
  const named = league ? league.crews.map((each, at) => [`${LEAGUE}${at + 1}`, each]) : [["crew", crew], ["against", against]];
  return named.filter(([, tally]) => tally).map(([kind, tally]) => ({ kind, gnomes, ...tally }));
};

// One bot for all seats is named once.
export const crewOf = (bots) => (new Set(bots).size === 1 ? [bots[0]] : bots).map((bot) => named("bot", bot)).join(" + ");

export const lineUp = (kind, bots) =>
  kind.startsWith(LEAGUE) ? say("league_crew", { number: kind.slice(LEAGUE.length), crew: crewOf(bots) }) : named("line_up", kind);

export const leagueOf = (crews) => crews.map((bots, at) => lineUp(`${LEAGUE}${at + 1}`, bots));

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
    const marks = (series) => tallies(series)
      .filter(({ games }) => games)
      .map(({ kind, crew, rescue_rate: at, interval }) => ({ kind, crew, at, from: interval.low, to: interval.high }));
    const groups = match.series.flatMap((series) => {
      const label = say("gnomes_of", { gnomes: series.rules.gnomes });
      if (!series.league) return [{ label, marks: marks(series) }];
      return marks(series).map((mark) => ({ label: `${label} · ${lineUp(mark.kind, mark.crew)}`, marks: [{ ...mark, kind: "crew" }] }));
    });
    const all = match.series.flatMap((series) =>
      series.league ? tallies(series).sort((one, other) => other.rescue_rate - one.rescue_rate) : tallies(series));
    const told = all.filter(({ games }) => games).map(({ kind, crew, gnomes, rescue_rate: rate, interval: { low, high } }) =>
      say("rate_of", { gnomes, crew: lineUp(kind, crew), rate: precise(rate), low: precise(low), high: precise(high) }),
    );
    this.chart.show(groups, 0, 1, told.join(" ") || say("no_result"));
    fill("rates", all.map(({ kind, crew, gnomes, games, rescues, rescue_rate: rate, interval }) => {
      const numbers = games ? [precise(rate), fromTo(interval, precise)] : ["–", "–"];
      return row([gnomes, lineUp(kind, crew), ...numbers, count(games), count(rescues)]);
    }));
  }
}

export class Differences {
  constructor() {
    this.chart = $("difference-chart") && new Whiskers($("difference-chart"), { format: step });
  }

  show(match) {
    if (match.crews) return this.showLeague(match);
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
    fill("pairs", match.series.map(({ rules, pairs }) =>
      row([rules.gnomes, ...compared(pairs), ...(pairs.sprt ? [test(pairs.sprt)] : [])])));
  }

  // A league has too many pairs for a chart.
  showLeague({ crews, series }) {
    const names = leagueOf(crews);
    const nameOf = (kind) => names[Number(kind.slice(LEAGUE.length)) - 1];
    fill("pairs", series.flatMap(({ rules, league }) =>
      league.pairs.map((pairs) => row([rules.gnomes, nameOf(pairs.crew), nameOf(pairs.against), ...compared(pairs)]))));
  }
}

function compared({ played, difference, interval, rescued_by_crew_only: crew, rescued_by_against_only: against }) {
  return [...(played ? [change(difference), fromTo(interval, change)] : ["–", "–"]), count(crew), count(against)];
}

const test = ({ margin, evidence, verdict }) =>
  say("test_of", { verdict: named("verdict", verdict), margin: precise(margin), evidence: amount(evidence) });
