// What can be done in the room that was tapped: actions, and chips of minutes where they change something.

import { html } from "../vendor/preact.js";
import { telling } from "../core/turn.js";

/** @typedef {import("../core/turn.js").Action} Action */
/** @typedef {import("../core/turn.js").Option} Option */
/** @typedef {import("../core/words.js").Words} Words */

/** @param {Action} action @param {(seat: number) => string} nameOf @param {Words} words */
export function titleOf(action, nameOf, words) {
  const name = words.named("actions", action.type);
  if (action.on == null) return name;
  return action.type === "unblock_hatch" ? `${name} ${action.on}` : `${name}: ${nameOf(Number(action.on))}`;
}

/**
 * @param {object} props
 * @param {Action[]} props.actions
 * @param {import("../core/turn.js").Plan} props.plan
 * @param {string} [props.coached] the action that the coach speaks of
 * @param {(seat: number) => string} props.nameOf @param {Words} props.words
 * @param {(action: Action) => void} props.onAction
 * @param {(action: Action, option: Option) => void} props.onOption
 */
export function Actions({ actions, plan, coached = "", nameOf, words, onAction, onOption }) {
  const chosen = actions.find(({ key }) => key === plan.action);
  return html`<div class="actions" role="group" aria-label=${words.say("actions")}>
      ${actions.map(
        (action) => html`<button key=${action.key} type="button" class="action" data-type=${action.type} data-coached=${coached === action.type} aria-pressed=${String(action.key === plan.action)} onClick=${() => onAction(action)}>
          ${titleOf(action, nameOf, words)}
          ${action.options.length === 1 && html`<small>${words.say("min", { minutes: action.options[0].minutes })}</small>`}
        </button>`,
      )}
    </div>
    ${chosen && chosen.options.length > 1 && html`<${Chips} action=${chosen} plan=${plan} words=${words} onOption=${onOption} />`}`;
}

/** @param {any} props */
function Chips({ action, plan, words, onOption }) {
  const shown = telling(action.options);
  return html`<div class="chips" role="group" aria-label=${words.say(action.type === "draw_items" ? "how_many_cards" : "how_many_minutes")}>
    ${shown.map((option, at) => {
      const { chance, events, items } = option;
      const before = shown[at - 1] ?? { events: [], items: [] };
      return html`<button
        key=${option.minutes}
        type="button"
        class="chip"
        aria-pressed=${String(plan.move === option.move)}
        onClick=${() => onOption(action, option)}
      ><span class="unseen">${spoken(option, words)}</span><span class="chip-face" aria-hidden="true"><b>${option.move.cards ? words.counted("cards", option.move.cards) : words.say("short_min", { minutes: option.minutes })}</b>
        ${chance != null && html`<span class="chance">${chance === 1 ? words.say("sure") : words.percent(chance)}</span>`}
        <span class="icons">${newer(events, before.events).map((minute) => html`<span class="event">★${minute}</span>`)}${newer(items, before.items).map((minute) => html`<span class="item">▣${minute}</span>`)}</span></span>
      </button>`;
    })}
  </div>`;
}

/** What this chip meets and the one before it does not. @param {number[]} icons @param {number[]} before */
const newer = (icons, before) => icons.filter((minute) => !before.includes(minute));

/** @param {Option} option @param {Words} words */
function spoken(option, words) {
  const { chance, events, items } = option;
  const amount = option.move.cards ? words.counted("cards", option.move.cards) : words.say("min", { minutes: option.minutes });
  const odds = chance == null ? "" : chance === 1 ? words.say("sure") : words.percent(chance);
  const icons = [
    ...events.map((minute) => `${words.say("event_icon")} ${minute}`),
    ...items.map((minute) => `${words.say("item_icon")} ${minute}`),
  ].join(", ");
  return [amount, odds, icons && words.say("meets", { icons })].filter(Boolean).join(", ");
}
