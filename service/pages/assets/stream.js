// Following a game or a match: every line of its stream, in order, through lost connections, until it is over.

import { sleep } from "./dom.js";

const NDJSON = "application/x-ndjson";
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 20000;
const GONE = ["no_such_game", "bad_token"]; // a player who has left has no token any more
const LAST_LINES = ["game_over", "game_deleted"];

// `hear` gets each line, and may take its time: the next one waits. `lost` is told when there is no connection.
export function follow(api, hear, lost) {
  let told = Promise.resolve();
  const tell = (line) => {
    told = told.then(() => hear(line)).catch((error) => console.info("not told:", error.message));
  };
  if (api.token) followAsPlayer(api, tell, lost);
  else followAsSpectator(api, tell, lost);
}

function followAsSpectator(api, tell, lost) {
  listen(`${api.path}/events/stream?lang=${api.lang}`, {
    hear: tell,
    isLast: (line) => LAST_LINES.includes(line.type),
    lost,
    isGone: () => isGone(api),
    gone: () => tell({ type: "game_deleted" }),
  });
}

// EventSource comes back by itself after a lost connection, but not after a refusal.
export function listen(address, told, retry = FIRST_RETRY) {
  const { hear, isLast, lost, isGone, gone, opened } = told;
  const source = new EventSource(address);
  source.onopen = () => opened?.(); // there may be nothing new to hear
  let heard = false;
  source.onmessage = (message) => {
    const line = JSON.parse(message.data);
    heard = true;
    if (isLast(line)) source.close();
    hear(line);
  };
  source.onerror = async () => {
    lost();
    if (source.readyState !== EventSource.CLOSED) return;
    const wait = heard ? FIRST_RETRY : retry;
    await sleep(wait);
    if (await isGone()) gone();
    else listen(address, told, Math.min(2 * wait, LONGEST_RETRY));
  };
}

// EventSource does not say why it was refused.
async function isGone(api) {
  try {
    await api.state();
  } catch (error) {
    return GONE.includes(error.code);
  }
  return false;
}

// EventSource sends no token; a token has no place in an address.
async function followAsPlayer(api, tell, lost) {
  let seq = null;
  const watchOn = () => {
    api.token = null;
    tell({ type: "token_revoked" });
    followAsSpectator(api, tell, lost);
  };
  for (let retry = FIRST_RETRY; ; retry = Math.min(2 * retry, LONGEST_RETRY)) {
    try {
      const after = seq == null ? "" : `&after=${seq}`;
      const reply = await api.open(`${api.path}/events/stream?lang=${api.lang}${after}`, { accept: NDJSON });
      for await (const line of lines(reply.body)) {
        retry = FIRST_RETRY;
        if (line.type === "reconnect") seq = line.after;
        else seq = line.seq ?? seq;
        if (line.type === "token_revoked") return watchOn();
        tell(line);
        if (LAST_LINES.includes(line.type)) return;
      }
    } catch (error) {
      if (error.code === "token_revoked") return watchOn();
      if (GONE.includes(error.code)) return tell({ type: "game_deleted" });
      console.info("the stream ended:", error.message);
    }
    lost();
    await sleep(retry);
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) if (part) yield JSON.parse(part);
  }
}
