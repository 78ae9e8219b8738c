// A bot's advice: asked for, never by itself; what is as good as the best is told as such.

import { stepsOf } from "../core/advice.js";
import { html } from "../vendor/preact.js";

/** @param {any} props */
export function Advice({ player, words }) {
  const { advice, own, plan: staged } = player;
  if (player.session.state.advice === false) return null;
  if (advice === "asking") return html`<p class="advice faint" role="status">${words.say("advice_asking")}</p>`;
  if (!advice) {
    return html`<p class="advice help"><button type="button" class="action" id="advice" onClick=${() => player.seekAdvice()}>${words.say(staged.isEmpty ? "advice" : "weigh")}</button>
      ${staged.isEmpty && html`<button type="button" class="action" onClick=${() => player.again()}>${words.say("since_last")}</button>`}</p>`;
  }
  if (!advice.length) return html`<p class="advice faint">${words.say("advice_none")}</p>`;
  return html`<section class="advice" aria-label=${words.say("advice")}>
    ${own?.rescue_rate != null && advice[0].rescue_rate != null && html`<p id="weighed" role="status">${words.say(own.as_good_as_best ? "own_as_good" : "own_and_best", { own: words.percent(own.rescue_rate), best: words.percent(advice[0].rescue_rate) })}</p>`}
    <ol>${advice.map(
      (/** @type {any} */ plan, /** @type {number} */ at) => html`<li key=${at}>
        <button type="button" class="choice" aria-pressed=${String(player.plan.line === plan.line)} onClick=${() => player.use(plan)}>
          <b>${plan.rescue_rate == null ? "–" : words.percent(plan.rescue_rate)}</b>
          <span>${textOf(player, plan, words)}</span>
          ${at > 0 && plan.as_good_as_best && html`<small>${words.say("as_good")}</small>`}
        </button></li>`,
    )}</ol>
    <p class="faint">${words.say("advice_what")}</p>
  </section>`;
}

/** A plan in a few words. @param {any} player @param {import("../core/advice.js").Advised} plan @param {import("../core/words.js").Words} words */
export function textOf(player, plan, words) {
  const { path, move } = stepsOf(plan);
  const rooms = player.isMoving ? player.along(path) : [];
  const used = path.filter(({ type }) => type === "use_item").map(({ item }) => words.named("items", item));
  const legal = player.session.state.legal_moves;
  const alone = !player.isMoving && legal.find((/** @type {any} */ each) => JSON.stringify(plan.moves[0]) === JSON.stringify(strip(each)));
  if (alone) return alone.text;
  const minutes = plan.line.reduce((sum, { cost }) => sum + cost, 0);
  return [
    ...used,
    rooms.length > 1 && rooms.map((/** @type {string} */ room) => (room === "sea" ? words.named("rooms", room) : room)).join("→"),
    move && [words.named("actions", move.type), move.hatch].filter(Boolean).join(" "),
    minutes > 0 && words.say("min", { minutes }),
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {any} move */
function strip({ cost, chance, text, ...move }) {
  return move;
}
