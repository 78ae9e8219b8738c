// The page of a match in a real Chromium: node watch_match.mjs JOB.json. Prints what was seen, as JSON.
import { readFile } from "node:fs/promises";
import { browser, job, look, open, seen, state, text, wire } from "./visitor.mjs";

const cells = (page, id) => page.locator(`#${id} tr`).evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
const whiskers = (page) => page.locator("#rates-chart [data-kind]").count();
const path = (id) => `/v1/matches/${id}`;

async function change(id, token, wanted) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const reply = await fetch(job.address + path(id), { method: "PATCH", headers, body: JSON.stringify({ status: wanted }) });
  if (!reply.ok) throw new Error(await reply.text());
}

const visits = {
  // From its beginning to its end; and one of its games.
  async watched() {
    const { match: { id }, token } = job.match;
    const page = await open(`/matches/${id}`, { width: 1280 });
    await state(page, "live");
    const paused = { status: await text(page, "status"), played: await text(page, "played") };
    await change(id, token, "running");
    const progress = new Set();
    await page.exposeFunction("note", (played) => progress.add(played));
    await page.evaluate(() => {
      new MutationObserver(() => window.note(document.getElementById("played").textContent)).observe(document.getElementById("played"), { childList: true });
    });
    await state(page, "over");
    await page.locator("#games button").nth(11).waitFor();
    await page.waitForFunction(() => document.getElementById("announcer").textContent);
    const end = { heading: await page.locator("h1").innerText(), title: await page.title() };
    for (const id of ["status", "played", "speed", "left", "crew", "against"]) end[id] = await text(page, id);
    for (const id of ["rates", "pairs", "causes", "lengths", "paces", "games"]) end[id] = await cells(page, id);
    end.whiskers = await whiskers(page);
    end.described = await page.locator("#rates-chart svg").getAttribute("aria-label");
    end.faults = await text(page, "faults");
    end.announced = await page.locator("#announcer").textContent();
    end.images = await page.locator("main img").count();
    await look(page, "match-1280-light");
    const files = {};
    for (const ending of ["ndjson", "csv"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-ending=${ending}]`).click()]);
      files[download.suggestedFilename()] = (await readFile(await download.path(), "utf8")).trim().split("\n").length;
    }
    await page.locator("#which").selectOption("lost");
    await page.waitForFunction(() => !document.querySelector("#games .rescued") && document.querySelector("#games .lost"));
    const lost = await cells(page, "games");
    await page.locator("#which").selectOption("");
    await page.locator("#games button").nth(11).waitFor();
    await page.locator("#which").focus();
    for (const _ of ["the table", "its first button"]) await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/watch/*");
    await page.locator("#badge[data-state=over]").waitFor({ state: "attached" });
    const start = { place: await text(page, "place"), badge: await page.locator("#badge").isVisible() };
    await page.keyboard.press("End");
    await state(page, "over");
    return { paused, progress: [...progress], end, files, lost, focus, start, opened: await text(page, "name"), url: page.url() };
  },

  // On a phone, at night, in other languages.
  async small() {
    const said = {};
    for (const [lang, colorScheme] of [["de", "dark"], ["ru", "light"]]) {
      const page = await open(`/matches/${job.match.match.id}?lang=${lang}`, { width: 360, height: 740, colorScheme });
      await state(page, "over");
      await page.locator("#games button").nth(11).waitFor();
      said[lang] = [await text(page, "status"), await text(page, "badge")];
      const cut = await page.locator(".scroll").evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth + 1).map((table) => table.innerText));
      const columns = await page.locator("#games tr").first().locator("th, td").evaluateAll((cells) => cells.map((cell) => cell.dataset.name));
      said[lang].push(cut, columns);
      await look(page, `match-360-${colorScheme}`);
    }
    const page = await open("/", { width: 360, height: 740 });
    await look(page, "home-matches-360-light");
    await page.locator(`#matches a[href="/matches/${job.match.match.id}"]`).click();
    await state(page, "over");
    return said;
  },

  // One that waits, and then is deleted; and one that never was.
  async gone() {
    const { match: { id }, token } = job.waiting;
    const page = await open(`/matches/${id}`, { width: 800, colorScheme: "dark" });
    await state(page, "live");
    const early = { status: await text(page, "status"), games: await text(page, "games-none"), whiskers: await whiskers(page) };
    await look(page, "match-waiting-800-dark");
    await fetch(job.address + path(id), { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
    await state(page, "deleted");
    const missing = await open(`/matches/${id}`, { expected: /404/ });
    return { ...early, notice: await text(page, "notice"), missing: await missing.locator("h1").innerText() };
  },

  // A league, on a phone; and a match that can't go on.
  async leagues() {
    const page = await open(`/matches/${job.league.match.id}`, { width: 360, height: 740 });
    await state(page, "over");
    await page.locator("#games button").nth(11).waitFor();
    await look(page, "league-360-light");
    const said = { crews: await text(page, "crews"), whiskers: await whiskers(page) };
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const id of ["rates", "pairs"]) said[id] = await cells(page, id);
    said.columns = await page.locator("#causes tr").first().locator("th, td").count();
    await look(page, "league-1280-light");
    const waits = await open(`/matches/${job.awaiting.match.id}`, { width: 360 });
    await waits.locator("#waiting:not([hidden])").waitFor();
    seen.awaited = await text(waits, "waiting");
    return said;
  },

  // The connection goes, and comes again.
  async lost() {
    const { match: { id }, token } = job.other;
    const line = await wire();
    const page = await open(`/matches/${id}`, { address: line.address, expected: /net::ERR_/ });
    await state(page, "live");
    line.cut();
    await state(page, "reconnecting");
    await change(id, token, "cancelled");
    line.mend();
    await state(page, "over");
    const said = await text(page, "status");
    await page.close();
    line.cut();
    line.close();
    return said;
  },
};

async function visit(...names) {
  for (const name of names) seen[name] = await visits[name]();
}

// Whoever waits for a connection needs no processor.
await Promise.all([visit("watched", "small", "gone"), visit("lost", "leagues")]);
await browser.close();
console.log(JSON.stringify(seen));
