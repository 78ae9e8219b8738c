// Ways that people go with the playing client; play_game.mjs takes them one after another.
import { asked, choose, decide, doIt, PHONE, press, problemsOf, quick, versionOf } from "./play_hands.mjs";
import { job, look, open, seen, wire } from "./visitor.mjs";

const seatsOf = (page) => page.evaluate(() => JSON.parse(localStorage["red-november.seats"]));
const table = (game) => `/play/${game.id}#token=${game.token}`;
const streamsOf = (page) => {
  const opened = [];
  page.on("request", (request) => request.url().includes("/events/stream") && opened.push(request.url()));
  return opened;
};

export const journeys = {
  // Each kind of decision, from a position in which it must be made.
  async decisions() {
    const page = await open("/new", PHONE);
    const met = {};
    for (const [kind, game] of Object.entries(job.decisions)) {
      await page.goto("about:blank");
      await page.goto(job.address + table(game));
      await asked(page);
      const button = doIt(page);
      const dead = await button.isDisabled();
      met[kind] = { dead, why: await page.locator(".why, .sheet-room").count(), problems: await decide(page) };
    }
    return met;
  },

  // Hatches are chosen one by one; each step is taken back by the browser's Back, which leaves the table after the last.
  async hatches() {
    const page = await open(table(job.hatches));
    await asked(page);
    const here = page.url();
    const labels = async () => page.locator("#do-it").innerText();
    await page.locator('.hatch[aria-label*="5"]').click();
    await page.locator('.hatch[aria-label*="5"][aria-pressed=true]').waitFor();
    const opens = await labels();
    await page.locator('.hatch[aria-label*="5"][aria-pressed=true]').click();
    await page.locator('.room[data-place="5"][aria-pressed=true]').waitFor();
    await page.locator('.room[data-place="8"]').click();
    await page.locator('.table[data-asks=true] .room[data-place="8"][aria-pressed=true]').waitFor(); // a tap is drawn with the next frame
    const goes = await labels();
    await page.goBack();
    await page.locator('.room[data-place="5"][aria-pressed=true]').waitFor();
    await page.goBack();
    await page.locator(".undo[disabled]").waitFor();
    const stays = page.url() === here;
    await page.locator('.room[data-place="8"]').click();
    await press(page);
    await page.locator('.table[data-asks=true] .room[data-place="8"][data-kind="here"]').waitFor();
    return { opens, goes, stays, problems: await problemsOf(page) };
  },

  // Three people at one device, whose hands are hidden: between two of them a curtain.
  async hotSeat() {
    const page = await open("/new", PHONE);
    await page.locator(".new-seats input[type=range]").fill("3");
    for (const seat of [1, 2]) {
      await page.locator(".new-seats select").nth(seat).selectOption("here");
      await page.locator(".new-seats li input").nth(seat - 1).fill(["Bea", "Cleo"][seat - 1]);
    }
    await page.locator(".new-options > summary").click();
    await page.locator(".new-options .check input").nth(1).check(); // hidden hands
    await page.locator("#make").click();
    await page.waitForURL("**/play/*");
    const curtains = [];
    const crew = new Set();
    for (let turn = 0; turn < 3; turn += 1) {
      await page.locator(".curtain").waitFor();
      if (turn === 0) await look(page, "curtain-390-light");
      curtains.push({ who: await page.locator("#i-am").innerText(), items: await page.locator(".item, .held, .room").count() });
      await page.locator("#i-am").click();
      await asked(page);
      crew.add(await page.locator(".crew-notes").allInnerTexts().then((notes) => notes.findIndex((note) => note.includes("you"))));
      for (let more = 0; more < 9 && !(await page.locator(".curtain").count()); more += 1) {
        await asked(page);
        await decide(page);
        await page.locator(".curtain, .table[data-asks=true]").first().waitFor();
      }
    }
    await page.reload();
    await page.locator(".curtain").waitFor();
    const after = await page.locator(".item, .held").count();
    return { curtains, crew: crew.size, after };
  },

  // Where hands are open, the next player at the device goes on at once.
  async openSeat() {
    const page = await open("/new", PHONE);
    await page.locator(".new-seats input[type=range]").fill("3");
    for (const seat of [1, 2]) await page.locator(".new-seats select").nth(seat).selectOption("here");
    await page.locator("#make").click();
    await page.waitForURL("**/play/*");
    const turns = [];
    for (let turn = 0; turn < 12 && new Set(turns).size < 2; turn += 1) {
      await asked(page);
      turns.push(await page.locator(".status .seat").getAttribute("data-seat"));
      const problems = await decide(page);
      if (problems.length) return { problems };
      await page.locator(".table[data-asks=true], .ended").first().waitFor();
    }
    return { turns, problems: [] };
  },

  // A first game: whoever taps what the coach speaks of plays three good turns.
  async first() {
    const page = await open("/new", PHONE);
    await quick(page);
    await page.locator("#first-game").click();
    await page.waitForURL("**/play/*");
    const told = [];
    for (let step = 0; step < 30; step += 1) {
      await asked(page);
      const wants = await page.locator(".table").getAttribute("data-coach");
      const said = await page.locator(".coach p").innerText();
      if (said !== told.at(-1)) told.push(said);
      if (step === 0) await look(page, "coach-390-light");
      if (wants === "end") break;
      const version = await versionOf(page);
      if (await page.locator(".choice").count()) await decide(page);
      else if (wants === "do") {
        await press(page);
        await page.locator(`.table:not([data-version="${version}"])`).waitFor();
      } else {
        await page.locator('[data-coached="true"]').first().click();
        await page.locator(`.table[data-asks=true]:not([data-coach="${wants}"])`).waitFor();
      }
    }
    const pressure = await page.locator(".track b").nth(2).innerText();
    await page.locator(".coach-end").click();
    await page.locator(".coach").waitFor({ state: "detached" });
    return { told, pressure };
  },

  // Two browsers and two bots, and one of the browsers is away for a while.
  async offline() {
    const line = await wire();
    const near = await open(table(job.pair[0]));
    const far = await open(table(job.pair[1]), { ...PHONE, address: line.address, expected: /ERR_|Failed to load/ });
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
    await far.close();
    line.close();
    return { lost, problems, caught };
  },

  // A move is sent while the line is dead, and again until it is answered: it is played once.
  async sentAgain() {
    const page = await open(table(job.again), { ...PHONE, expected: /ERR_|Failed to load/ });
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
  },

  // A phone that slept has a dead stream, which nobody tells it: it asks anew when it wakes up.
  async slept() {
    const page = await open("/", PHONE);
    const streams = streamsOf(page);
    await page.goto(job.address + table(job.slept));
    await asked(page);
    await page.locator('.badge[data-state="live"]').waitFor();
    const before = streams.length;
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.waitForRequest(/events\/stream/).catch(() => {});
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
    return { woke, died: await page.locator(".sheet-note").innerText(), staged: await page.locator("#do-it").isDisabled() };
  },

  // Without a pointer: Tab, arrows, Enter.
  async keyboard() {
    const page = await open(table(job.keyboard));
    await asked(page);
    const version = await versionOf(page);
    const steps = [];
    const focused = () => page.evaluate(() => ({ kind: document.activeElement.className || document.activeElement.id, place: document.activeElement.dataset.place, do: document.activeElement.id === "do-it", ring: getComputedStyle(document.activeElement).outlineStyle }));
    let at = await focused();
    for (let tab = 0; tab < 60 && at.place !== "1"; tab += 1) {
      await page.keyboard.press("Tab");
      at = await focused();
    }
    steps.push(at);
    await page.keyboard.press("Enter");
    for (let tab = 0; tab < 90 && !at.kind.startsWith("action"); tab += 1) {
      await page.keyboard.press("Tab");
      at = await focused();
    }
    await page.keyboard.press("Enter");
    for (let tab = 0; tab < 90 && !at.do; tab += 1) {
      await page.keyboard.press("Tab");
      at = await focused();
    }
    steps.push(at);
    const says = await doIt(page).innerText();
    await page.keyboard.press("Enter");
    await asked(page, version);
    return { steps, says, problems: await problemsOf(page) };
  },

  // What a screen reader is told: rooms with contents and distance, and a turn at once, not each of its events.
  async heard() {
    const page = await open(table(job.heard), PHONE);
    await asked(page);
    const tree = await page.locator("body").ariaSnapshot();
    await page.evaluate(() => {
      globalThis.told = [];
      new MutationObserver(() => globalThis.told.push(document.getElementById("announcer").textContent)).observe(document.getElementById("announcer"), { childList: true, characterData: true, subtree: true });
    });
    const version = await versionOf(page);
    const before = await page.locator(".play-log li").count();
    await choose(page);
    await press(page);
    await asked(page, version);
    const events = (await page.locator(".play-log li").count()) - before;
    return { tree, events, told: await page.evaluate(() => globalThis.told) };
  },

  // Letters of twice the size: everything is there, nothing is wider than the screen, and the button is in sight.
  async large() {
    const fits = {};
    for (const [name, size] of [["390", PHONE], ["1440", {}]]) {
      const page = await open(table(job.large), size);
      await asked(page);
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
      await choose(page);
      await look(page, `large-${name}-light`);
      fits[name] = await page.evaluate(() => {
        const { top, bottom, right } = document.getElementById("do-it").getBoundingClientRect();
        const sheet = document.querySelector(".sheet-body").getBoundingClientRect();
        return { button: top >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1, sheet: Math.round(sheet.height) };
      });
      await page.close();
    }
    return fits;
  },

  // What the first board costs on a line that is slow.
  async throttled() {
    const page = await open("/", PHONE);
    const wiretap = await page.context().newCDPSession(page);
    await wiretap.send("Network.enable");
    await wiretap.send("Network.setCacheDisabled", { cacheDisabled: true });
    await wiretap.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: 400_000, uploadThroughput: 100_000 });
    let bytes = 0;
    wiretap.on("Network.dataReceived", ({ encodedDataLength }) => (bytes += encodedDataLength));
    const began = Date.now();
    await page.goto(job.address + table(job.throttled));
    await page.locator(".board-picture svg").waitFor();
    return { bytes, ms: Date.now() - began };
  },
};

// Sounds, notifications, and another device are asked for in one place.
journeys.called = async () => {
  const page = await open(table(job.called), PHONE);
  await page.context().grantPermissions(["notifications", "clipboard-read", "clipboard-write"], { origin: job.address });
  await asked(page);
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  await page.locator(".more > summary").click();
  const [sounds, notify] = [page.locator(".more-box .check input").nth(0), page.locator(".more-box .check input").nth(1)];
  const off = [await sounds.isChecked(), await notify.isChecked()];
  await sounds.check();
  await notify.click();
  await page.waitForFunction(() => JSON.parse(localStorage["red-november.likes"]).notify !== undefined);
  await page.locator(".more-box").getByText("Copy the link").click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open("/", PHONE);
  await other.goto(link);
  await asked(other);
  const title = await other.title();
  const likes = await page.evaluate(() => JSON.parse(localStorage["red-november.likes"]));
  await page.evaluate(() => document.querySelector(".more").removeAttribute("open"));
  await other.locator(".more > summary").click();
  await other.locator(".more-box").getByText("Forget this seat").click();
  await other.waitForURL((url) => url.pathname === "/");
  return { icon, off, likes, title, kept: Object.keys(await seatsOf(other)).length, address: new URL(link).pathname, seen: seen.complaints.length };
};

// Two players show each other what they would do, and where to look; a bot weighs what is staged.
journeys.shown = async () => {
  const [one, other] = [await open(table(job.shown[0])), await open(table(job.shown[1]), PHONE)];
  await asked(one);
  await other.locator('.badge[data-state="live"]').waitFor();
  await one.locator('.room[data-place="8"]').click();
  await one.locator(".point > summary").click();
  await one.locator("#propose").click();
  await other.locator(".way.proposed").waitFor({ state: "attached" });
  const plan = await other.locator(".signals").innerText();
  await look(other, "shown-390-light");
  await other.locator(".point > summary").click();
  await other.locator(".point .action").first().click();
  await other.locator('.room[data-place="4"]').click();
  await one.locator(".ping").waitFor({ state: "attached" });
  const ping = await one.locator(".signals").innerText();
  await one.locator("#advice").click();
  await one.locator("#weighed").waitFor();
  const weighed = await one.locator("#weighed").innerText();
  await decide(one); // and what was shown goes with its version
  await other.locator(".way.proposed").waitFor({ state: "detached" });
  return { plan, ping, weighed };
};

// A host who wants no advice has none on the page.
journeys.unadvised = async () => {
  const page = await open(table(job.unadvised), PHONE);
  await asked(page);
  return await page.locator("#advice").count();
};
