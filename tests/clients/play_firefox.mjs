// A turn in Firefox, over WebDriver BiDi: node --experimental-websocket play_firefox.mjs JOB.json; prints what was seen, as JSON.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const profile = mkdtempSync(join(tmpdir(), "firefox-"));
const firefox = spawn(job.firefox, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
  env: { ...process.env, HOME: profile, MOZ_REMOTE_SETTINGS_DEVTOOLS: "1" },
  stdio: ["ignore", "ignore", "pipe"],
});
const address = await new Promise((found, failed) => {
  let said = "";
  firefox.stderr.on("data", (data) => {
    said += data;
    const [, told] = /listening on (ws:\S+)/.exec(said) ?? [];
    if (told) found(told);
  });
  firefox.on("exit", () => failed(new Error(said)));
});
const line = new WebSocket(`${address}/session`);
await new Promise((open, failed) => Object.assign(line, { onopen: open, onerror: failed }));

const complaints = [];
const waiting = new Map();
line.onmessage = ({ data }) => {
  const { id, type, method, params, result, message } = JSON.parse(data);
  if (type === "event") {
    if (method === "log.entryAdded" && params.level === "error") complaints.push(params.text);
    return;
  }
  const { done, failed } = waiting.get(id);
  if (type === "error") failed(new Error(message));
  else done(result);
};
let last = 0;
const send = (method, params) => new Promise((done, failed) => {
  waiting.set((last += 1), { done, failed });
  line.send(JSON.stringify({ id: last, method, params }));
});

await send("session.new", { capabilities: {} });
await send("session.subscribe", { events: ["log.entryAdded"] });
const { context } = await send("browsingContext.create", { type: "tab" });
await send("browsingContext.setViewport", { context, viewport: { width: 390, height: 844 } });
const evaluate = async (expression) => {
  const { result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value;
};
// Resolves when the page has it; the page looks at each of its frames.
const found = (selector) => evaluate(`new Promise((done) => { const look = () => document.querySelector(${JSON.stringify(selector)}) ? done(true) : setTimeout(look, 30); look(); })`);
const tap = async (selector) => {
  await found(selector);
  const [x, y] = JSON.parse(await evaluate(`(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]); })()`));
  const actions = [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
  await send("input.performActions", { context, actions: [{ type: "pointer", id: "finger", parameters: { pointerType: "touch" }, actions }] });
};

await send("browsingContext.navigate", { context, url: `${job.address}/play/${job.mine.id}#token=${job.mine.token}`, wait: "complete" });
await found('.table[data-asks="true"]');
await found(".board-picture svg");
const version = await evaluate("document.querySelector('.table').dataset.version");
await tap('.room[data-kind="near"]');
await tap('.actions > .action[data-type="no_action"]');
await found('.action[aria-pressed="true"]');
const says = await evaluate("document.querySelector('#do-it').innerText");
await tap("#do-it");
await found(`.table[data-asks="true"]:not([data-version="${version}"])`);
const seen = {
  says,
  address: await evaluate("location.href"),
  rooms: await evaluate("document.querySelectorAll('.room').length"),
  problems: await evaluate("document.querySelectorAll('.sheet-note').length"),
  wide: await evaluate("document.documentElement.scrollWidth > innerWidth"),
  complaints,
};
const { data } = await send("browsingContext.captureScreenshot", { context });
writeFileSync(join(job.folder, "play-firefox.png"), Buffer.from(data, "base64"));
console.log(JSON.stringify(seen));
firefox.removeAllListeners("exit");
await send("browser.close", {}).catch(() => {});
firefox.kill();
await new Promise((done) => (firefox.exitCode === null && firefox.signalCode === null ? firefox.once("exit", done) : done()));
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);
