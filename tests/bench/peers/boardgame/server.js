// boardgame.io's server with a game whose state is as large as ours, and whose moves only count: node server.js PORT STATE
const { readFileSync } = require("node:fs");
const { Origins, Server } = require("boardgame.io/server");

const [port, state] = process.argv.slice(2);
const table = JSON.parse(readFileSync(state));

const counter = {
  name: "counter",
  setup: () => ({ count: 0, table }),
  moves: { add: ({ G }) => { G.count += 1; } },
};

Server({ games: [counter], origins: [Origins.LOCALHOST] }).run({ port: Number(port) });
