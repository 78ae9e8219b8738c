// The pages in a real Chromium: node watch_games.mjs JOB.json. Plays a visitor's day; prints what was seen, as JSON.
import { browser, job, look, open, seen, state, text, wire } from "./visitor.mjs";

const place = (page) => text(page, "place");
const version = async (page) => Number((await place(page)).match(/Moment (\d+)/)[1]);
const placed = (page, version) => page.waitForFunction((wanted) => document.getElementById("place").textContent.includes(wanted), `Moment ${version} `);
const drawn = (page, version) =>
  page.waitForFunction((wanted) => decodeURIComponent(document.getElementById("board").src).includes(`data-version="${wanted}"`), version);

const visits = {
  // A game of bots, from before its start to its end, and back.
  async watched() {
    const { token, game: { id } } = job.bots;
    const page = await open(`/watch/${id}`);
    await state(page, "live");
    await page.locator("#gnomes li").first().waitFor();
    const waiting = { timeline: await page.locator("#timeline").isVisible(), decision: await text(page, "decision") };
    const early = await open(`/watch/${id}`);
    await state(early, "live");
    await early.locator("#log [data-version]").first().waitFor({ state: "attached" });
    await early.keyboard.press("Home");
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(`${job.address}/v1/games/${id}/start`, { method: "POST", headers });
    await page.locator("#log h3[data-seat]").first().waitFor();
    await state(page, "over");
    const last = (await (await fetch(`${job.address}/v1/games/${id}`)).json()).version;
    await drawn(page, last);
    await page.locator("#chart .now").waitFor();
    const rows = await page.locator("#log [data-version]").evaluateAll((all) => all.filter((row) => !row.closest("h3") || row.matches("a")).length);
    const end = { last, rows, place: await place(page), decision: await text(page, "decision"), announced: await page.locator("#announcer").textContent() };
    await look(page, "over-1440-light");
    await early.locator("#badge[data-state=over]").waitFor({ state: "attached" });
    const spoilt = [await early.locator("#badge").isVisible()];
    await early.close();

    await page.keyboard.press("Home");
    await drawn(page, 1);
    spoilt.push(await page.locator("#badge").isVisible());
    const first = { place: await place(page), alt: await page.locator("#board").getAttribute("alt") };
    await page.keyboard.press("ArrowRight");
    await drawn(page, 2);
    await page.locator("#slider").fill("20");
    const middle = { place: await place(page), hash: new URL(page.url()).hash, spoken: await page.locator("#slider").getAttribute("aria-valuetext") };
    const current = await page.locator("#log [aria-current]").evaluate((row) => (row.dataset.version ? row : row.querySelector("a")).dataset.version);
    await page.locator("#speed").selectOption("10");
    await page.keyboard.press(" ");
    await page.locator("#play[data-playing=true]").waitFor();
    const playing = await place(page);
    await page.waitForFunction((was) => document.getElementById("place").textContent !== was, playing);
    await page.keyboard.press(" ");
    await page.locator("#play[data-playing=false]").waitFor();
    await page.locator("#log h3 a").nth(2).click();
    const turn = await place(page);
    await page.keyboard.press("End");
    await drawn(page, last);
    await state(page, "over");
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    return { waiting, end, spoilt, first, middle, current, turn, focus };
  },

  // The same game by a deep link, on a phone at night, in German.
  async linked() {
    const page = await open(`/watch/${job.bots.game.id}?lang=de#v=30`, { width: 360, height: 740, colorScheme: "dark" });
    await page.locator("#gnomes li").first().waitFor();
    const versions = [await version(page)];
    await drawn(page, versions[0]);
    await look(page, "linked-360-dark");
    await page.evaluate(() => (location.hash = "#v=40"));
    await page.waitForFunction((was) => !document.getElementById("place").textContent.includes(`Moment ${was} `), versions[0]);
    versions.push(await version(page));
    return { versions, title: await page.title(), lang: await page.locator("html").getAttribute("lang") };
  },

  // A player with secrets, whose token stays where it is.
  async played() {
    const { id, token } = job.secret;
    const stranger = await open(`/watch/${id}`, { width: 800, height: 1100 });
    await stranger.locator("#gnomes li").first().waitFor();
    await look(stranger, "secret-800-light");
    const page = await open(`/watch/${id}#token=${token}`, { width: 800, height: 1100, colorScheme: "dark" });
    await state(page, "live");
    await page.locator("#gnomes li").first().waitFor();
    await look(page, "player-800-dark");
    const hidden = (one) => one.locator(".hidden-items").count();
    const told = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href);
    const before = await place(page);
    await fetch(`${job.address}/v1/games/${id}/moves`, {
      method: "POST",
      headers: { Authorization: `Bearer ${job.secret.mover}`, "Content-Type": "application/json" },
      body: JSON.stringify({ moves: [{ type: "no_action" }] }),
    });
    await page.waitForFunction((was) => document.getElementById("place").textContent !== was, before);
    const moved = [await hidden(stranger), await hidden(page)];
    await page.locator("[data-language][lang=ru]").click();
    await page.locator("#notice[data-kind=hint]").waitFor();
    return { hidden: moved, leaks: told.includes(token), language: await page.locator("html").getAttribute("lang"), url: page.url() };
  },

  // What is private, and what is not there.
  async refused() {
    const { token, game: { id } } = job.private;
    const page = await open(`/watch/${id}#token=${token}`, { expected: /404/ }); // for the page: we are told no token
    await page.locator("#gnomes li").first().waitFor();
    const mine = await text(page, "name");
    const missing = await open(`/watch/${id}`, { expected: /404/ });
    await missing.locator("#missing h1").waitFor();
    await look(missing, "missing-1440-light");
    const wrong = await open(`/watch/${job.bots.game.id}#token=rn_wrong`, { expected: /401/ });
    await wrong.locator("#notice[data-kind=trouble]").waitFor();
    await wrong.locator("#gnomes li").first().waitFor();
    return { mine, missing: await missing.locator("#watch").isVisible(), wrong: await text(wrong, "notice") };
  },

  // Names that would be markup; and the host who has had enough.
  async named() {
    const { token, game: { id } } = job.evil;
    const page = await open(`/watch/${id}`, { locale: "ru" });
    await page.locator("#gnomes li").first().waitFor();
    const said = { name: await text(page, "name"), images: await page.locator("img").count(), gnomes: await text(page, "gnomes") };
    await look(page, "names-1440-light");
    await fetch(`${job.address}/v1/games/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
    await state(page, "deleted");
    return said;
  },

  // The connection goes, and comes again.
  async lost() {
    const { id, movers } = job.slow;
    const found = [];
    for (const hash of ["", `#token=${movers[0]}`]) {
      const line = await wire();
      const page = await open(`/watch/${id}${hash}`, { address: line.address, expected: /net::ERR_/ });
      await state(page, "live");
      line.cut();
      await state(page, "reconnecting");
      const game = await (await fetch(`${job.address}/v1/games/${id}`)).json();
      const headers = { Authorization: `Bearer ${movers[game.decision.seat]}`, "Content-Type": "application/json" };
      await fetch(`${job.address}/v1/games/${id}/moves`, { method: "POST", headers, body: JSON.stringify({ moves: [{ type: "no_action" }] }) });
      line.mend();
      await state(page, "live");
      await placed(page, game.version + 1);
      found.push(await page.locator("#log h3").count());
      await page.close();
      line.cut();
      line.close();
    }
    return found;
  },

  // The store has gone back to an earlier past: what was told is told anew.
  async wentBack() {
    const path = `/v1/games/${job.secret.id}`;
    const state = await (await fetch(job.address + path)).json();
    const line = (epoch) => `id: ${state.seq}\ndata: ${JSON.stringify({ type: "state", seq: state.seq, state: { ...state, epoch } })}\n\n`;
    const page = await open("/docs/problems"); // not there yet
    await page.route(`**${path}/events/stream?lang=en`, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: line(state.epoch) + line("elsewhere") }),
    );
    await page.goto(`${job.address}/watch/${job.secret.id}`);
    await page.locator("#notice[data-kind=trouble]").waitFor();
    await page.locator("#gnomes li").first().waitFor();
    const { events } = await (await fetch(`${job.address}${path}/events?limit=1000`)).json();
    const told = events.filter(({ type }) => type !== "turn_began"); // which is a heading
    return { notice: await text(page, "notice"), rows: await page.locator("#log li").count(), told: told.length };
  },

  async home() {
    for (const [name, options] of Object.entries({
      "home-1440-light": {},
      "home-800-dark": { width: 800, height: 1000, colorScheme: "dark" },
      "home-360-light": { width: 360, height: 740, locale: "ru" },
    })) {
      const page = await open("/", options);
      await page.locator("#let-bots-play").waitFor();
      await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth));
      await look(page, name);
    }
    const page = await open("/?lang=de");
    const sooner = (route) => route.continue({ postData: route.request().postData().replaceAll("captain", "cabin_boy") });
    await page.route("**/v1/games", sooner); // bots that don't think
    await page.locator("#let-bots-play").click();
    await page.waitForURL("**/watch/*");
    await page.locator("#play[data-playing=true]").waitFor();
    return page.url();
  },
};

async function visit(...names) {
  for (const name of names) seen[name] = await visits[name]();
}

// Whoever waits for a connection needs no processor.
await Promise.all([visit("home", "watched", "linked", "played", "refused", "named", "wentBack"), visit("lost")]);
await browser.close();
console.log(JSON.stringify(seen));
