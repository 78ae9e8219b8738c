// What the board shows of the game and of what is staged: its rooms as buttons, and the way.

import { marksOf } from "../core/foresight.js";
import { hatchesInside } from "../core/geometry.js";
import { hatchBetween, roomsOn } from "../core/reach.js";
import { isSame } from "../core/turn.js";
import { roomOf } from "../sheet/choices.js";
import { nameOf } from "../sheet/crew.js";
import { lessonFor } from "./play_coach.js";

/**
 * @param {import("../core/player.js").Player} player @param {import("../core/words.js").Words} words
 * @param {boolean} showsHatches those that can be opened, too: they take room
 * @param {(kind: string, id: string) => void} onAsk somebody wants to know what it is
 */
export function boardFacts(player, words, showsHatches, onAsk) {
  const { plan, goals, session } = player;
  const lesson = lessonFor(player);
  const mayAct = player.isPresent && session.isMine && !player.isBusy;
  const targets = mayAct && !player.isMoving ? targetsOf(player) : new Map();
  /** @type {Record<string, any>} */
  const rooms = {};
  for (const room of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "sea"]) {
    const goal = mayAct ? goals.get(room) : undefined;
    const target = targets.get(room);
    const minutes = goal ? player.minutesBefore + goal.ways[0].minutes : 0;
    rooms[room] = {
      label: labelOf(player.state, room, goal, minutes, words),
      kind: target ? "target" : goal ? (room === player.here ? "here" : "near") : "far",
      pressed: mayAct && (target ? Boolean(plan.move && isSame(plan.move, target)) : plan.room === room),
      name: room === "sea" ? words.named("rooms", room) : undefined,
      isCoached: lesson?.step === "room" && lesson.target === room,
      badge: minutes ? words.say("short_min", { minutes }) : "",
    };
  }
  /** @type {Record<string, any>} */
  const hatches = {};
  if (mayAct) {
    for (const move of session.state.legal_moves) {
      if (move.type === "block_hatch") hatches[move.hatch] = { label: move.text, pressed: plan.move === move, tap: () => player.choose(move) };
    }
    for (const move of showsHatches && player.isMoving ? player.openings : []) {
      hatches[hatchBetween(player.here, String(move.to))] = {
        label: openingOf(move, words),
        pressed: player.isOpeningOnly && plan.path[0].to === move.to,
        tap: () => player.tapHatch(move),
      };
    }
  }
  if (player.pointing) {
    for (const hatch of hatchesInside(/** @type {import("../core/geometry.js").Geometry} */ (player.geometry))) {
      hatches[hatch] = { label: words.say("hatch_label", { hatch: hatch.replace("-", "–") }), pressed: false, isAim: true, tap: () => player.pointAt({ type: "hatch", hatch }) };
    }
  }
  const path = mayAct && player.isMoving ? player.rooms : [];
  const shown = player.isPresent ? player.shownByOthers : [];
  const sum = mayAct && !plan.isEmpty ? player.sum : null;
  const best = mayAct && player.isMoving && Array.isArray(player.advice) ? player.advice[0] : null;
  return {
    rooms,
    hatches,
    path,
    marks: sum ? marksOf(sum) : [],
    cost: sum && { room: path.at(-1) ?? player.here, minutes: sum.minutes, from: player.state.gnomes[session.decision.seat].minutes, to: sum.ghost, events: sum.events, items: sum.items },
    advised: best ? player.along(best.moves) : [],
    proposals: shown.flatMap(({ seat, moves }) => (moves ? [{ seat, rooms: roomsOn(String(player.state.gnomes[seat].room), moves) }] : [])),
    pointed: shown
      .map(({ seat, points_at: at }) => ({ seat, hatch: at?.hatch, room: String((at?.type === "gnome" ? player.state.gnomes[at.seat ?? 0].room : at?.room) ?? "") }))
      .filter(({ hatch, room }) => hatch || room),
    tokens: Object.entries(player.state.destruction).filter(([, minute]) => minute != null).map(([token, minute]) => ({ token, minute, label: `${words.named("tokens", token)}, ${words.say("min", { minutes: minute })}` })),
    onRoom: (/** @type {string} */ room) => {
      if (player.pointing) return player.pointAt({ type: "room", room: room === "sea" ? room : Number(room) });
      if (targets.has(room)) return player.choose(targets.get(room));
      return mayAct && player.goals.has(room) ? player.tapRoom(room) : onAsk("rooms", room);
    },
    onAsk,
    onHatch: (/** @type {string} */ hatch) => hatches[hatch].tap(),
  };
}

/** What opening a hatch is called. @param {any} move @param {import("../core/words.js").Words} words */
export function openingOf({ to }, words) {
  return words.say("open_hatch_to", { room: to === "sea" ? words.named("rooms", to) : words.say("room_label", { room: to, name: words.named("rooms", to) }) });
}

/** The choices that are rooms. @param {import("../core/player.js").Player} player */
function targetsOf(player) {
  const { state } = player.session;
  const targets = new Map();
  for (const move of state.legal_moves) {
    const room = roomOf(move, state);
    if (room && !targets.has(room)) targets.set(room, move);
  }
  return targets;
}

/** What is in a room, and how far it is. @param {import("contract").components["schemas"]["Game"]} state @param {string} room @param {any} goal @param {number} minutes @param {import("../core/words.js").Words} words */
function labelOf(state, room, goal, minutes, words) {
  const { water = "none", fire = false } = state.rooms[room] ?? {};
  const there = state.gnomes.flatMap((/** @type {any} */ gnome, /** @type {number} */ seat) =>
    String(gnome.room) === room && ["alive", "fainted"].includes(gnome.state) ? [`${nameOf(state, seat, words)} (${seat + 1})`] : [],
  );
  return [
    room === "sea" ? words.named("rooms", room) : words.say("room_label", { room, name: words.named("rooms", room) }),
    fire && words.say("burns"),
    water !== "none" && words.named("water", water),
    there.join(", "),
    goal && (minutes ? words.say("away_by", { minutes }) : words.say("you_are_here")),
  ]
    .filter(Boolean)
    .join(", ");
}
