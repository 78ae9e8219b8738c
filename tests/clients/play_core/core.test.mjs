// The client's core, without a page: node --test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "../../../service/pages/assets/play/core/advice.js";
import { Api, Refused } from "../../../service/pages/assets/play/core/api.js";
import { dieOf, isSeen, Playback, scenesOf, walkOf } from "../../../service/pages/assets/play/core/playback.js";
import { goalsOf, hatchBetween, roomsOn } from "../../../service/pages/assets/play/core/reach.js";
import { Session } from "../../../service/pages/assets/play/core/session.js";
import { Signals } from "../../../service/pages/assets/play/core/signals.js";
import { Store } from "../../../service/pages/assets/play/core/store.js";
import { peopleAt } from "../../../service/pages/assets/play/core/table.js";
import { isGrave, isSame, Plan, telling } from "../../../service/pages/assets/play/core/turn.js";

const json = (body, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const now = () => Promise.resolve();

test("what must arrive once is sent with one key until there is an answer", async () => {
  const keys = [];
  const replies = [() => { throw new TypeError("no network"); }, () => json({ code: "unconfirmed" }, 503), () => json({ version: 2 })];
  const waits = [];
  const api = new Api("en", { sleep: now, fetch: async (_, { headers }) => { keys.push(headers["Idempotency-Key"]); return replies[keys.length - 1](); } });
  assert.deepEqual(await api.send("/v1/games/g/moves", {}, "rn_1", (lost) => waits.push(lost)), { version: 2 });
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual(waits, [true, true, false]);
});

test("a refusal is told and not repeated, and neither is what would not be answered soon", async () => {
  for (const [status, code] of [[409, "version_conflict"], [503, "overloaded"]]) {
    let asked = 0;
    const api = new Api("en", { sleep: now, fetch: async () => { asked += 1; return json({ code, detail: "No." }, status); } });
    await assert.rejects(api.send("/x", {}, null), (error) => error instanceof Refused && error.code === code && error.message === "No.");
    assert.equal(asked, 1);
  }
});

test("a problem is told in the page's own words where it has any, also when nobody answers", async () => {
  const problems = { seat_taken: "Taken. Ask for another link.", unreachable: "Nobody is there." };
  const answers = [() => json({ code: "seat_taken", detail: "No." }, 409), () => json({ code: "invalid", detail: "No." }, 422), () => { throw new TypeError("fetch"); }];
  const api = new Api("en", { sleep: now, fetch: async () => answers.shift()(), problems });
  for (const message of [problems.seat_taken, "No.", problems.unreachable]) await assert.rejects(api.post("/x", {}), { message });
});

test("a seat is kept until it is forgotten, and without a store as long as the page", () => {
  for (const storage of [null, { getItem: () => { throw new Error("off"); }, setItem: () => { throw new Error("full"); } }]) {
    const store = new Store(storage);
    store.keep("g", { token: "rn_1" });
    store.keep("g", { seen: 7 });
    assert.equal(store.seat("g").token, "rn_1");
    assert.equal(store.seat("g").seen, 7);
    store.forget("g");
    assert.equal(store.seat("g"), null);
  }
});

const event = (seq, type, more = {}) => ({ seq, version: seq, type, text: `${type}.`, ...more });

test("what happened is cut into turns, with the way and the die of each", () => {
  const scenes = scenesOf([
    event(1, "turn_began", { seat: 2, turn: 4 }),
    event(2, "gnome_moved", { seat: 2, from: 2, to: 5 }),
    event(3, "gnome_moved", { seat: 2, from: 5, to: "sea" }),
    event(4, "die_rolled", { seat: 2, value: 7, needed: 9 }),
    event(5, "turn_began", { seat: 0, turn: 5 }),
  ]);
  assert.deepEqual(scenes.map(({ turn, version }) => [turn, version]), [[4, 4], [5, 5]]);
  assert.deepEqual(walkOf(scenes[0]), ["2", "5", "sea"]);
  assert.deepEqual(dieOf(scenes[0]), { value: 7, needed: 9 });
  assert.deepEqual(scenes.map(isSeen), [true, false]);
});

test("scenes are shown one after another, and the present comes after the last", async () => {
  const told = [];
  const over = new Promise((done) => {
    const playback = new Playback(async (scene) => { await now(); told.push(scene.turn); }, () => { told.push("present"); done(); });
    for (const turn of [1, 2, 3]) playback.add([event(turn, "turn_began", { seat: 0, turn }), event(turn, "choice", { seat: 0 })]);
    assert.equal(playback.behind, 3);
  });
  await over;
  assert.deepEqual(told, [1, 2, 3, "present"]);
});

test("whoever skips is in the present", async () => {
  const told = [];
  await new Promise((done) => {
    const playback = new Playback(async (scene) => { told.push(scene.turn); playback.skip(); }, done);
    playback.add([1, 2, 3].flatMap((turn) => [event(2 * turn, "turn_began", { seat: 0, turn }), event(2 * turn + 1, "choice")]));
  });
  assert.deepEqual(told, [1]);
});

test("a turn is staged in the order in which it is played, and taken back from its end", () => {
  const path = [{ type: "open_hatch", to: 5, cost: 1 }, { type: "enter", cost: 0 }];
  const plan = new Plan(8).toggle("grog", 1).with({ path, room: "5", action: "pump_water", move: { type: "pump_water", minutes: 3, cost: 3, chance: 0.6, text: "…" } });
  assert.deepEqual(plan.moves, [{ type: "use_item", item: "grog" }, { type: "open_hatch", to: 5 }, { type: "enter" }, { type: "pump_water", minutes: 3 }]);
  const steps = [plan.back(), plan.back().back(), plan.back().back().back(), plan.back().back().back().back()];
  assert.deepEqual(steps.map(({ moves }) => moves.length), [3, 1, 0, 0]);
  assert.equal(plan.version, 8);
});

test("an item is used as often as it is held, then not at all", () => {
  const used = [1, 2, 3].reduce((plans, _) => [...plans, plans.at(-1).toggle("grog", 2)], [new Plan(1)]);
  assert.deepEqual(used.map(({ items }) => items.length), [0, 1, 2, 0]);
});

test("minutes beyond certainty are not offered", () => {
  const options = Array.from({ length: 10 }, (_, at) => ({ minutes: at + 1, chance: Math.min(1, (at + 5) / 10) }));
  assert.deepEqual(telling(options).map(({ minutes }) => minutes), [1, 2, 3, 4, 5, 6]);
});

test("what is grave is known, and a move is the same however it is written", () => {
  assert.ok(isGrave({ type: "attack_gnome", seat: 1 }));
  assert.ok(isGrave({ type: "no_action" }, true));
  assert.ok(!isGrave({ type: "no_action" }));
  assert.ok(isSame({ type: "enter", cost: 1, text: "Enter" }, { type: "enter" }));
});

test("of the ways into a room those come first that use no item", () => {
  const way = (items, minutes) => ({ items, moves: [], minutes, ghost: 50, ends_turn: false, certain: [], triggers: { events: [], items: [], ignored: [] }, actions: [] });
  const goals = goalsOf([{ room: 7, ways: [way(["grog"], 1), way([], 3)] }]);
  assert.deepEqual(goals.get("7").ways.map(({ minutes }) => minutes), [3, 1]);
  assert.deepEqual(roomsOn("2", [{ type: "open_hatch", to: 5 }, { type: "enter" }, { type: "open_hatch", to: 8 }, { type: "stay" }]), ["2", "5"]);
  assert.deepEqual([hatchBetween("10", "9"), hatchBetween("sea", "6")], ["9-10", "6-sea"]);
});

test("what others show goes with its time, and a plan with its version", () => {
  let changes = 0;
  const woken = [];
  const signals = new Signals(() => (changes += 1), (ms) => woken.push(ms));
  signals.hear({ seat: 1, version: 7, seconds: 60, moves: [{ type: "no_action" }], points_at: null, says: null });
  signals.hear({ seat: 2, version: 7, seconds: 15, moves: null, points_at: { type: "room", room: 4 }, says: "look" });
  assert.deepEqual(signals.shown(7).map(({ seat }) => seat), [1, 2]);
  assert.deepEqual(signals.shown(8).map(({ seat }) => seat), [2]);
  signals.hear({ seat: 2, version: 7, seconds: 0, moves: null, points_at: null, says: null });
  assert.deepEqual(signals.shown(7).map(({ seat }) => seat), [1]);
  assert.deepEqual([changes, woken], [3, [60_000, 15_000]]);
});

test("only tables that the rules know can be made", () => {
  assert.deepEqual(
    [["me", "sailor", "sailor"], ["me", "me", "sailor"], ["me", "me", "friend", "friend"], ["me", "me", "friend"], ["friend", "sailor", "sailor"]].map(peopleAt),
    [3, 1, 2, null, null],
  );
});

// A service whose streams end at once, with gaps.
function recorded(streams, history) {
  const state = { id: "g", epoch: "e", version: history.length, you: { seats: [0] }, decision: { seat: 0 } };
  return async (path) => {
    if (path.includes("/events/stream")) {
      const after = Number(new URL(path, "http://x").searchParams.get("after"));
      const lines = streams.shift();
      if (!lines) return new Promise(() => {});
      return new Response([{ type: "state", seq: after, state }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("\n"));
    }
    if (path.includes("/events?")) {
      const after = Number(new URL(path, "http://x").searchParams.get("after"));
      return json({ events: history.filter(({ seq }) => seq > after && seq <= 2) });
    }
    return json(state);
  };
}

test("a stream that breaks is taken up where it ended, and nothing is told twice", async () => {
  const history = [1, 2, 3, 4, 5].map((seq) => event(seq, "choice"));
  const told = [];
  const lines = [];
  const api = new Api("en", { sleep: now, fetch: recorded([history.slice(1, 3), history.slice(2, 5)], history) });
  const session = new Session(api, "g", { token: "rn_1", changed: (events) => told.push(...events.map(({ seq }) => seq)), lineChanged: (line) => lines.push(line), noSeat: () => {} });
  await session.begin();
  while (session.seq < 5) await new Promise((done) => setTimeout(done, 1));
  await new Promise((done) => setTimeout(done, 1));
  session.close();
  assert.deepEqual(told, [3, 4, 5]);
  assert.deepEqual(session.events.map(({ seq }) => seq), [1, 2, 3, 4, 5]);
  assert.ok(lines.includes("lost") && lines.includes("live"));
});

test("what happens between asking for the state and for its history is told as soon as the stream says so", async () => {
  const history = [1, 2].map((seq) => event(seq, "choice"));
  const late = recorded([[]], history);
  let asked = 0;
  const first = { id: "g", epoch: "e", version: 1, you: { seats: [0] }, decision: { seat: 1 } };
  const api = new Api("en", { sleep: now, fetch: async (path) => (!path.includes("/events") && ++asked === 1 ? json(first) : late(path)) });
  const seen = [];
  const told = new Promise((done) => {
    const changed = () => seen.push(session.state.version) === 2 && done();
    const session = new Session(api, "g", { token: "rn_1", changed, lineChanged() {}, noSeat() {} });
    session.begin().then(() => told).then(() => session.close());
  });
  await told;
  assert.deepEqual(seen, [1, 2]);
});

test("a stream that says nothing is told to be silent, and opened anew when it says nothing more", async () => {
  const api = new Api("en", { sleep: now, fetch: recorded([], [event(1, "choice")]) });
  const session = new Session(api, "g", { token: "rn_1", changed() {}, lineChanged() {}, noSeat() {} });
  await session.begin();
  const before = session.wire;
  session.tell("live");
  session.heard = Date.now() - 20_000;
  session.check();
  assert.deepEqual([session.line, before.signal.aborted], ["silent", false]);
  session.heard = Date.now() - 40_000;
  session.check();
  assert.ok(before.signal.aborted);
  session.close();
});
