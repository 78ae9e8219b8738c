// The client's core at a real service, without a page: node random_taps.mjs JOB.json. Whatever is tapped, what it stages
// is legal: the service previews it. Prints how much was tried, as JSON.
import { readFileSync } from "node:fs";
import { Api } from "../../service/pages/assets/play/core/api.js";
import { Player } from "../../service/pages/assets/play/core/player.js";
import { Store } from "../../service/pages/assets/play/core/store.js";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const seen = { taps: 0, previews: 0, played: 0, refused: [] };

// Random numbers that are the same in every run.
let dice = 1;
const below = (most) => {
  dice = (Math.imul(dice, 1103515245) + 12345) >>> 0;
  return (dice >>> 8) % most;
};
const any = (list) => list[below(list.length)];

const settled = () => new Promise((done) => setTimeout(done));
const until = async (is) => {
  while (!is()) await new Promise((done) => setTimeout(done, 5));
};

async function tap(player) {
  const { state } = player.session;
  if (!player.isMoving) return player.choose(any(state.legal_moves));
  const action = player.way?.actions.length ? any(player.way.actions) : null;
  const hands = Object.entries(state.gnomes[state.decision.seat].items ?? {}).filter(([item]) => player.usable.includes(item));
  const taps = [
    () => player.tapRoom(any([...player.goals.keys()])),
    () => action && player.tapAction(action),
    () => action && player.tapOption(action, any(action.options)),
    () => hands.length && player.toggle(...any(hands)),
    () => player.openings.length && player.tapHatch(any(player.openings)),
    () => player.back(),
  ];
  await any(taps)();
}

for (const { id, token } of job.tables) {
  const store = new Store(null);
  store.keep(id, { token });
  const api = new Api("en", { fetch: (path, asked) => fetch(job.address + path, asked) });
  const player = new Player({ api, store, game: id, redraw() {}, theme: () => "light", isStill: () => true, told() {}, asked() {} });
  await player.begin();
  for (let turn = 0; turn < job.turns && !player.session.state.result; turn += 1) {
    await until(() => player.isAsking || player.session.state.result);
    if (player.session.state.result) break;
    for (let more = 0; more < 6; more += 1) {
      await tap(player);
      seen.taps += 1;
      await settled();
      await until(() => !player.isLooking);
      if (player.plan.isEmpty) continue;
      const { moves, version } = player.plan;
      try {
        await api.post(`${player.session.path}/previews`, { moves, version }, token);
        seen.previews += 1;
      } catch (error) {
        seen.refused.push({ moves, why: error.message });
      }
    }
    if (player.plan.isEmpty) player.isMoving ? player.tapAction(player.way.actions[0] ?? any([...player.goals.values()]).ways[0].actions[0]) : player.choose(player.session.state.legal_moves[0]);
    const { version } = player.session.state;
    await player.act();
    if (player.problem) seen.refused.push({ moves: player.plan.moves, why: player.problem });
    await until(() => player.session.state.version > version || player.problem);
    seen.played += 1;
  }
  player.session.close();
}
console.log(JSON.stringify(seen));
process.exit(0);
