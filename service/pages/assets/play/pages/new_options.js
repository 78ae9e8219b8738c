// The options of a game, each explained in a sentence.

import { html } from "../vendor/preact.js";

const TRUTHS = ["less_deadly_dying", "hidden_hands", "crazed_gnomes"];
const SECONDS = [null, 30, 60, 120, 300, 86_400];

/** @param {any} props */
export function Options({ form, words, onChange }) {
  const { rules } = form;
  /** @param {string} name @param {unknown} value */
  const set = (name, value) => onChange({ rules: { ...rules, [name]: value } });
  /** @param {string} name @param {string} group */
  const choice = (name, group) => html`<label class="field">${words.named("options", name)}
    <select value=${rules[name] ?? ""} onChange=${(/** @type {any} */ event) => set(name, event.target.value || undefined)}>
      ${Object.entries(words.game[group] ?? {}).map(([id, word], at) => html`<option key=${id} value=${at === 0 ? "" : id}>${/** @type {any} */ (word).name}</option>`)}
    </select><small>${words.meaning("options", name)}</small></label>`;
  return html`<details class="new-options">
    <summary>${words.say("options")}</summary>
    ${choice("edition", "editions")}
    ${choice("greater_challenge", "greater_challenges")}
    ${TRUTHS.map(
      (name) => html`<label key=${name} class="field check"><input type="checkbox" checked=${Boolean(rules[name])} onChange=${(/** @type {any} */ event) => set(name, event.target.checked || undefined)} /> ${words.named("options", name)}<small>${words.meaning("options", name)}</small></label>`,
    )}
    <label class="field">${words.say("time_for_decisions")}
      <select value=${form.seconds ?? ""} onChange=${(/** @type {any} */ event) => onChange({ seconds: Number(event.target.value) || null })}>
        ${SECONDS.map((seconds) => html`<option key=${seconds} value=${seconds ?? ""}>${timeOf(seconds, words)}</option>`)}
      </select><small>${words.say("time_what")}</small></label>
    <label class="field check"><input type="checkbox" checked=${form.isPrivate} onChange=${(/** @type {any} */ event) => onChange({ isPrivate: event.target.checked })} /> ${words.say("private")}<small>${words.say("private_what")}</small></label>
    <label class="field check"><input type="checkbox" checked=${form.advises} onChange=${(/** @type {any} */ event) => onChange({ advises: event.target.checked })} /> ${words.say("advises")}<small>${words.say("advises_what")}</small></label>
  </details>`;
}

/** @param {number | null} seconds @param {import("../core/words.js").Words} words */
function timeOf(seconds, words) {
  if (seconds === null) return words.say("any_time");
  if (seconds < 120 && seconds % 60) return words.say("seconds", { seconds });
  return seconds >= 86_400 ? words.say("a_day") : words.say("min", { minutes: seconds / 60 });
}
