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
