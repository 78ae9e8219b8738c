// The hand: what a gnome holds, and what using it would bring to what is staged.

import { html } from "../vendor/preact.js";
import { Sign } from "../board/strip.js";

const DRINKS = "grog";

/**
 * @param {object} props
 * @param {any} props.gnome
 * @param {import("../core/turn.js").Plan} props.plan
 * @param {string[]} props.usable items that may be used now
 * @param {import("../core/turn.js").Action | null} props.action
 * @param {string} [props.coached] the item that the coach speaks of
 * @param {any} props.signs @param {import("../core/words.js").Words} props.words
 * @param {(item: string, most: number) => void} props.onToggle
 * @param {(kind: string, id: string) => void} props.onAsk
 */
export function Hand({ gnome, plan, usable, action, coached = "", signs, words, onToggle, onAsk }) {
  const held = Object.entries(gnome.items ?? {});
  if (!held.length) return html`<p class="hand-empty faint">${words.say("no_items")}</p>`;
  /** @param {string} item */
  const bonus = (item) => action?.helps.find((help) => help.item === item)?.bonus ?? 0;
  const helps = held.filter(([item]) => isOffered(item, bonus(item), action, plan) && usable.includes(item));
  const rest = held.filter((entry) => !helps.includes(entry));
  /** @param {[string, any]} held */
  const idle = ([item, count]) => {
    const told = `${words.named("items", item)}${Number(count) > 1 ? ` ×${count}` : ""}`;
    return html`<button key=${item} type="button" class="item idle" onClick=${() => onAsk("items", item)} aria-label=${words.say("explain", { what: told })}><${Sign} inner=${signs.items[item]} /><span>${told}</span></button>`;
  };
  return html`<div class="hand">
    ${helps.map(([item, count]) => {
      const used = plan.items.filter((each) => each === item).length;
      const brings = gains(item, bonus(item), gnome, used, words);
      return html`<button
        key=${item}
        type="button"
        class="item"
        data-coached=${coached === item}
        aria-pressed=${String(used > 0)}
        onClick=${() => onToggle(item, Number(count))}
      ><${Sign} inner=${signs.items[item]} /><span>${words.named("items", item)}${used > 1 || Number(count) > 1 ? ` ${used}/${count}` : ""}</span>${brings && html`<small>${brings}</small>`}</button>`;
    })}
    ${action && helps.length ? rest.length > 0 && html`<details class="useless"><summary>${words.say("other_items", { count: rest.length })}</summary><div class="hand">${rest.map(idle)}</div></details>` : rest.map(idle)}
  </div>`;
}

// With an action in view, what helps it; without, whatever can be used.
/** @param {string} item @param {number} bonus @param {import("../core/turn.js").Action | null} action @param {import("../core/turn.js").Plan} plan */
function isOffered(item, bonus, action, plan) {
  if (plan.items.includes(item) || action === null) return true;
  return bonus > 0 || ["coffee", "lucky_charm"].includes(item);
}

/** @param {string} item @param {number} bonus @param {any} gnome @param {number} used @param {import("../core/words.js").Words} words */
function gains(item, bonus, gnome, used, words) {
  const told = [];
  if (bonus) told.push(`+${bonus * Math.max(used, 1)}`);
  if (item === DRINKS) {
    const after = Math.min(4, gnome.intoxication + Math.max(used, 1));
    told.push(words.say("drunk", { from: gnome.intoxication, to: after }));
  }
  return told.join(", ");
}
