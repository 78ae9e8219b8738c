// A player each of many matches, who all move as fast as they are answered: node moves.js PORT MATCHES SECONDS LISTENERS
// LISTENERS others are connected to each match. Prints how many moves were accepted, and in how many seconds.
const { io } = require("socket.io-client");

const [port, matches, seconds, listeners] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const SEATS = 4;

async function post(path, body) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(`${server}/games/counter/${path}`, options)).json();
}

// Resolves to the socket and the version that it was told.
function connect(matchID, playerID, credentials) {
  const socket = io(`${server}/counter`, { transports: ["websocket"], forceNew: true });
  socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, SEATS));
  return new Promise((resolve) => socket.on("sync", (_, { state }) => resolve([socket, state._stateID])));
}

async function sitDown() {
  const { matchID } = await post("create", { numPlayers: SEATS });
  const { playerCredentials } = await post(`${matchID}/join`, { playerID: "0", playerName: "Gnome" });
  const [socket, first] = await connect(matchID, "0", playerCredentials);
  for (let one = 0; one < listeners; one += 1) await connect(matchID, null);
  const payload = { type: "add", args: [], playerID: "0", credentials: playerCredentials };
  const match = { version: first, play: () => {
    socket.emit("update", { type: "MAKE_MOVE", payload }, match.version, matchID, "0");
  } };
  socket.on("update", (_, state) => {
    match.version = state._stateID;
    match.play();
  });
  return match;
}

(async () => {
  const all = [];
  for (let number = 0; number < matches; number += 1) all.push(await sitDown());
  const versions = () => all.reduce((sum, match) => sum + match.version, 0);
  const before = versions();
  const began = process.hrtime.bigint();
  for (const match of all) match.play();
  setTimeout(() => {
    const took = Number(process.hrtime.bigint() - began) / 1e9;
    console.log(JSON.stringify({ accepted: versions() - before, seconds: took }));
    process.exit();
  }, seconds * 1000);
})();
