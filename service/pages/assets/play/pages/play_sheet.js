// The sheet below the board: what can be done now, whatever now is.

import { Advice, textOf } from "../sheet/advice.js";
import { Actions, titleOf } from "../sheet/actions.js";
import { Choices } from "../sheet/choices.js";
import { called } from "../sheet/crew.js";
import { DoIt } from "../sheet/doit.js";
import { Hand } from "../sheet/hand.js";
import { Point, Shown } from "../sheet/signals.js";
import { html } from "../vendor/preact.js";
import { openingOf } from "./play_board.js";
import { Coach, lessonFor } from "./play_coach.js";
import { Ended } from "./play_end.js";
import { Lobby } from "./play_lobby.js";
import { Scene } from "./play_scene.js";

/** @param {any} props */
export function Sheet(props) {
  const { player, words } = props;
  const { state, session } = player;
  const note = player.problem ?? (player.notice && words.say(player.notice));
  return html`${note && html`<p class="sheet-note" role="alert">${note}</p>`}
    ${player.isSendingAgain && html`<p class="sheet-note" role="status">${words.say("sending_again")}</p>`}
    ${player.shownLink && html`<p class="sheet-note"><code>${player.shownLink}</code></p>`}
    ${player.isPresent && html`<${Shown} player=${player} />`}
    ${!player.isPresent
      ? html`<${Past} ...${props} />`
      : state.status === "waiting"
        ? html`<${Lobby} ...${props} />`
        : state.result
          ? html`<${Ended} ...${props} />`
          : session.isMine
            ? html`<${Turn} ...${props} />`
            : html`<${Others} ...${props} />`}`;
}

/** @param {any} props */
function Past({ player, words }) {
  return html`<div class="sheet-body"><${Scene} player=${player} words=${words} /><p class="faint">${words.say("past_what")}</p></div>
    <div class="doit"><button type="button" class="primary do" onClick=${() => player.skip()}>${words.say("to_present")}</button></div>`;
}

/** @param {any} props */
function Others({ player, words, signs, onAsk }) {
  const { state, session, plan } = player;
  const mine = state.you.seats[0];
  return html`<div class="sheet-body">
    <p>${session.token && mine != null ? words.say("others_turn", { who: called(state, state.decision.seat, words) }) : words.say("spectator")}</p>
    ${mine != null && html`<h2>${words.say("your_hand")}</h2><${Hand} gnome=${state.gnomes[mine]} plan=${plan} usable=${[]} action=${null} signs=${signs} words=${words} onToggle=${() => {}} onAsk=${onAsk} />`}
    <${Point} player=${player} words=${words} />
    ${session.token && html`<p><button type="button" onClick=${() => player.again()}>${words.say("since_last")}</button></p>`}
  </div>`;
}

/** @param {any} props */
function Turn(props) {
  const { player, words, signs, onAsk } = props;
  const { plan, session } = player;
  const gnome = session.state.gnomes[session.state.decision.seat];
  const lesson = lessonFor(player);
  return html`<${Coach} ...${props} /><div class="sheet-body">
      ${player.isMoving ? html`<${Movement} ...${props} />` : html`<${Choices} state=${session.state} plan=${plan} words=${words} onChoose=${(/** @type {any} */ move) => player.choose(move)} />`}
      <${Hand} gnome=${gnome} plan=${plan} usable=${player.isMoving ? player.usable : []} action=${player.action} coached=${lesson?.step === "item" ? lesson.target : ""} signs=${signs} words=${words} onToggle=${(/** @type {string} */ item, /** @type {number} */ most) => player.toggle(item, most)} onAsk=${onAsk} />
      <${Advice} player=${player} words=${words} />
      <${Point} player=${player} words=${words} />
    </div>
    <${DoIt}
      label=${labelOf(player, words)}
      isGrave=${player.isGrave}
      isReady=${!plan.isEmpty && !player.isLooking && !player.problem && (!plan.action || Boolean(plan.move))}
      isBusy=${player.isBusy}
      canGoBack=${plan.isStaged}
      onBack=${() => player.back()}
      onDo=${() => player.act()}
      words=${words}
    />`;
}

/** @param {any} props */
function Movement({ player, words, view, redraw, onAsk }) {
  const { plan, goal, way, session } = player;
  if (!goal && player.problem) return html`<p><button type="button" class="action" id="look-again" onClick=${() => player.prepare()}>${words.say("look_again")}</button></p>`;
  if (!goal) return html`<p class="faint">${words.say("looking")}</p>`;
  const { state } = session;
  const room = state.rooms[goal.room];
  return html`<div class="sheet-room">
      <h2><button type="button" class="room-name" onClick=${() => onAsk("rooms", goal.room)}>${goal.room === "sea" ? words.named("rooms", "sea") : words.say("room_label", { room: goal.room, name: words.named("rooms", goal.room) })}</button></h2>
      <p class="faint">${[
        player.minutesBefore + way.minutes ? words.say("away_by", { minutes: player.minutesBefore + way.minutes }) : words.say("you_are_here"),
        room?.fire && words.say("burns"),
        room && room.water !== "none" && words.named("water", room.water),
      ]
        .filter(Boolean)
        .join(" · ")}</p>
    </div>
    ${goal.ways.length > 1 && html`<${Ways} player=${player} words=${words} />`}
    ${way.endsTurn && html`<p class="faint">${words.say("ends_turn")}</p>`}
    <${Actions}
      actions=${way.actions}
      plan=${plan}
      coached=${lessonFor(player)?.target ?? ""}
      nameOf=${(/** @type {number} */ seat) => called(state, seat, words)}
      words=${words}
      onAction=${(/** @type {any} */ action) => player.tapAction(action)}
      onOption=${(/** @type {any} */ action, /** @type {any} */ option) => player.tapOption(action, option)}
    />
    ${player.sum && !plan.isEmpty && html`<p class="sum">${summary(player.sum, words)}</p>`}
    <${Openings} player=${player} words=${words} view=${view} redraw=${redraw} />`;
}

/** Several ways lead there: one without items, quicker ones with. @param {any} props */
function Ways({ player, words }) {
  return html`<div class="ways-there" role="group" aria-label=${words.say("ways")}>${player.goal.ways.map(
    (/** @type {any} */ way, /** @type {number} */ at) => html`<button key=${at} type="button" class="action" aria-pressed=${String(player.way === way)} onClick=${() => player.stage(player.plan.with({ way: at, path: way.path, action: null, move: null }))}>${words.say("min", { minutes: way.minutes })}${way.items.map((/** @type {string} */ item) => ` + ${words.named("items", item)}`)}</button>`,
  )}</div>`;
}

/** To open a hatch and look, for whoever wants no more yet. @param {any} props */
function Openings({ player, words, view, redraw }) {
  const { plan, openings, isOpeningOnly } = player;
  if (!openings.length || plan.action || (plan.path.length && !isOpeningOnly)) return null;
  const chosen = isOpeningOnly && openings.find((/** @type {any} */ { to }) => to === plan.path[0].to);
  return html`<details class="openings" open=${view.hatches} onToggle=${(/** @type {any} */ event) => {
    view.hatches = event.target.open;
    redraw();
  }}><summary>${words.say("open_only")}</summary><div class="actions">${openings.map(
    (/** @type {any} */ move) => html`<button type="button" class="action" aria-pressed=${String(move === chosen)} onClick=${() => player.tapHatch(move)}>${openingOf(move, words)}</button>`,
  )}</div></details>
  ${chosen && html`<button type="button" class="action go-through" onClick=${() => player.goThrough()}>${words.say("go_through")}</button>`}`;
}

/** @param {any} sum @param {import("../core/words.js").Words} words */
function summary(sum, words) {
  const effects = [...new Set(sum.effects.map((/** @type {any} */ event) => words.named("event_types", event.type)))];
  const met = [...sum.events.map((/** @type {number} */ minute) => `★${minute}`), ...sum.items.map((/** @type {number} */ minute) => `▣${minute}`)];
  return [...effects, met.length ? words.say("meets", { icons: met.join(" ") }) : words.say("meets_nothing")].join(" · ");
}

/** What the one button does, in words. @param {import("../core/player.js").Player} player @param {import("../core/words.js").Words} words */
function labelOf(player, words) {
  const { plan, sum } = player;
  const { state } = player.session;
  if (plan.isEmpty) return words.say(player.isMoving ? "choose_room" : "choose_one");
  const { line } = plan;
  const advised = line && Array.isArray(player.advice) && player.advice.find((each) => each.line === line);
  if (advised) return words.say("do_it", { what: textOf(player, advised, words) });
  if (!player.isMoving) return words.say("do_it", { what: plan.move?.text ?? "" });
  const { action, option, isOpeningOnly } = player;
  if (isOpeningOnly) return words.say("do_it", { what: openingOf(plan.path[0], words) });
  const { rooms } = player;
  const used = [...new Set([...plan.items, ...(player.way?.items ?? [])])].map((item) => words.named("items", item));
  const parts = [
    ...used,
    rooms.length > 1 && rooms.map((room) => (room === "sea" ? words.named("rooms", room) : room)).join("→"),
    action && titleOf(action, (seat) => called(state, seat, words), words),
    (sum?.minutes ?? 0) > 0 && words.say("min", { minutes: sum?.minutes }),
    option?.chance != null && (option.chance === 1 ? words.say("sure") : words.percent(option.chance)),
  ];
  return words.say(action || rooms.length < 2 ? "do_it" : "go", { what: parts.filter(Boolean).join(", ") });
}
