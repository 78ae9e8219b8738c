// What the client says: its own texts as the server put them into the page, and the game's words as the service has them.

/** @typedef {{ name: string, text: string | null }} Word */

export class Words {
  /** @param {Record<string, any>} texts @param {string} lang */
  constructor(texts, lang) {
    this.texts = texts;
    this.lang = lang;
    /** @type {Record<string, Record<string, Word>>} */
    this.game = {};
    this.percents = new Intl.NumberFormat(lang, { style: "percent" });
    this.plurals = new Intl.PluralRules(lang);
  }

  /** @param {string} key @param {Record<string, unknown>} facts */
  say = (key, facts = {}) => {
    /** @type {string} */
    const text = this.texts[key];
    return text.replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));
  };

  // A text that has a form for each plural: "one", "few", "many".
  /** @param {string} key @param {number} count */
  counted = (key, count) => {
    const forms = this.texts[key];
    return (forms[this.plurals.select(count)] ?? forms.many).replace("{count}", String(count));
  };

  /** @param {Record<string, any>} words as `/v1/rules` tells them */
  learn(words) {
    this.game = words;
  }

  /** @param {string} kind @param {string | number} id */
  named = (kind, id) => this.game[kind]?.[id]?.name ?? String(id);

  /** @param {string} kind @param {string | number} id */
  meaning = (kind, id) => this.game[kind]?.[id]?.text ?? "";

  /** @param {number} share */
  percent = (share) => this.percents.format(share);

  /** @param {number} at milliseconds */
  day = (at) => new Date(at).toLocaleString(this.lang, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

  /** @param {number} at milliseconds */
  time = (at) => new Date(at).toLocaleTimeString(this.lang, { hour: "2-digit", minute: "2-digit" });
}

// A name from right to left must not turn the words around it.
/** @param {string} name */
export const isolated = (name) => `\u2068${name}\u2069`;
