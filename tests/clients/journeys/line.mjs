// Lines that break, and phones that sleep.
import { asked, choose, decide, PHONE, playOn, press, problemsOf, tableOf, versionOf } from "../play_hands.mjs";
import { job, open, wire } from "../visitor.mjs";

const streamsOf = (page) => {
  const opened = [];
  page.on("request", (request) => request.url().includes("/events/stream") && opened.push(request.url()));
  return opened;
};

// Two browsers and two bots play to the end, and one of the browsers is away for a while.
export async function offline() {
  const line = await wire();
  const near = await open(tableOf(job.pair[0]));
  const far = await open(tableOf(job.pair[1]), { ...PHONE, address: line.address, expected: /ERR_|Failed to load/ });
  await asked(near);
  await far.locator(".table").waitFor();
  line.cut();
  await far.locator('.badge[data-state="lost"]').waitFor();
  const lost = await far.locator(".badge").innerText();
  const problems = await decide(near);
  line.mend();
  await far.locator('.badge[data-state="live"]').waitFor();
  await far.locator(`.table[data-version="${await versionOf(near)}"]`).waitFor();
  const caught = await far.locator(".play-log h3").count();
  const ends = await Promise.all([near, far].map((page) => playOn(page)));
  await far.close();
  line.close();
  return { lost, problems, caught, ends };
}

// A move is sent while the line is dead, and again until it is answered: it is played once.
export async function sentAgain() {
  const page = await open(tableOf(job.again), { ...PHONE, expected: /ERR_|Failed to load/ });
  await asked(page);
  const keys = [];
  await page.route("**/moves", (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    return keys.length < 3 ? route.abort() : route.continue();
  });
  await choose(page);
  const version = await versionOf(page);
  await press(page);
  await page.locator('.sheet-note[role="status"]').waitFor();
  await asked(page, version);
  return { keys, problems: await problemsOf(page) };
}

// A phone that slept has a dead stream, which nobody tells it: it asks anew when it wakes up.
export async function slept() {
  const page = await open("/", PHONE);
  const streams = streamsOf(page);
  await page.goto(job.address + tableOf(job.slept));
  await asked(page);
  await page.locator('.badge[data-state="live"]').waitFor();
  const before = streams.length;
  const again = page.waitForRequest(/events\/stream/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await again;
  await page.locator('.badge[data-state="live"]').waitFor();
  const woke = streams.length - before;
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await page.waitForTimeout(0);
  // Somebody else plays what this page had staged: it goes, and says so.
  await choose(page);
  await page.evaluate(async ({ path, token }) => {
    const [move] = (await (await fetch(path, { headers: { Authorization: `Bearer ${token}` } })).json()).legal_moves.filter(({ type }) => type === "no_action");
    const { cost, ...bare } = move;
    await fetch(`${path}/moves`, { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body: JSON.stringify({ moves: [bare] }) });
  }, { path: `/v1/games/${job.slept.id}`, token: job.slept.token });
  await page.locator(".sheet-note").waitFor();
  const [died, staged] = [await page.locator(".sheet-note").innerText(), await page.locator("#do-it").isDisabled()];
  return { woke, died, staged, end: await playOn(page) };
}

// The connection stands and nothing comes any more: the page says so, and takes another. Its clock is put forward.
export async function silent() {
  const line = await wire();
  const page = await open("/", { ...PHONE, address: line.address });
  await page.clock.install();
  await page.goto(line.address + tableOf(job.silent));
  await asked(page);
  await page.locator('.badge[data-state="live"]').waitFor();
  line.stall();
  await page.clock.fastForward(16_000);
  await page.locator('.badge[data-state="silent"]').waitFor();
  const said = await page.locator(".badge").innerText();
  await page.clock.fastForward(16_000);
  await page.locator('.badge[data-state="live"]').waitFor();
  const healed = await page.locator(".badge").getAttribute("data-state");
  await page.close();
  line.close();
  return { said, healed };
}
