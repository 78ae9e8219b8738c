// What the page says, in its language, as the server put it into the page.

const words = JSON.parse(document.getElementById("words").textContent);

export const lang = document.documentElement.lang;

// A name from right to left must not turn the words around it.
export const isolated = (name) => `\u2068${name}\u2069`;

export const say = (key, facts = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");

export const named = (kind, id) => words.names[kind]?.[id] ?? String(id);

const percents = new Intl.NumberFormat(lang, { style: "percent" });

export const percent = (share) => percents.format(share);

export const time = (at) => new Date(at).toLocaleTimeString(lang);

const number = (options) => {
  const format = new Intl.NumberFormat(lang, options);
  return (value) => format.format(value);
};

export const count = number({});

export const amount = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const precise = number({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const change = number({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

export const step = number({ style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" });

const UNITS = [["hour", 3600], ["minute", 60], ["second", 1]];
const inUnit = (unit) => number({ style: "unit", unit, maximumSignificantDigits: 2 });

// About so long: "3 min", "12 ms".
export function duration(seconds) {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["millisecond", 0.001];
  return inUnit(unit)(seconds / size);
}
