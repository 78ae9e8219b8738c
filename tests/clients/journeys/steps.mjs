// Single steps of a turn, by pointer and by key, and what is told of them.
import { asked, choose, decide, DESK, doIt, PHONE, press, problemsOf, tableOf, versionOf } from "../play_hands.mjs";
import { job, keep, look, open } from "../visitor.mjs";

const UNLIKE = ["movement", "trade_give", "block_hatch"]; // all others look like one of these

// Each kind of decision, from a position in which it must be made.
export async function decisions() {
  const page = await open("/new", PHONE);
  const met = {};
  for (const [kind, game] of Object.entries(job.decisions)) {
    await page.goto("about:blank");
    await page.goto(job.address + tableOf(game));
    await asked(page);
    await page.setViewportSize(DESK); // with crew and log in sight
    await (UNLIKE.includes(kind) ? look : keep)(page, `decision-${kind}-1440-light`);
    await page.setViewportSize(PHONE);
    await page.locator(".tabs").waitFor();
    const button = doIt(page);
    const dead = await button.isDisabled();
    met[kind] = { dead, why: await page.locator(".why, .sheet-room").count(), problems: await decide(page) };
  }
  return met;
}

// Hatches are chosen one by one; each step is taken back by the browser's Back, which leaves the table after the last.
export async function hatches() {
  const page = await open(tableOf(job.hatches));
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
}

// Without a pointer, to the end of the game: Tab, arrows, Enter.
export async function keyboard() {
  const page = await open(tableOf(job.keyboard));
  const focused = () => page.evaluate(() => ({ kind: document.activeElement.className || document.activeElement.id, isHere: document.activeElement.dataset.kind === "here", do: document.activeElement.id === "do-it", ring: getComputedStyle(document.activeElement).outlineStyle }));
  const tabTo = async (isThere) => {
    let at = await focused();
    for (let tab = 0; tab < 120 && !isThere(at); tab += 1) {
      await page.keyboard.press("Tab");
      at = await focused();
    }
    return at;
  };
  const rings = [];
  for (;;) {
    await asked(page);
    if (await page.locator(".ended").count()) break;
    const version = await versionOf(page);
    if (await page.locator(".sheet-room").count()) {
      rings.push((await tabTo(({ isHere }) => isHere)).ring);
      await page.keyboard.press("Enter");
    }
    const isChoice = ({ kind }) => /^(action|choice)/.test(kind);
    if (isChoice(await tabTo(isChoice))) await page.keyboard.press("Enter");
    await page.locator("#do-it:enabled").waitFor();
    rings.push((await tabTo((at) => at.do)).ring);
    if ((await doIt(page).getAttribute("data-grave")) === "true") await page.keyboard.press("Enter"); // it is asked for twice
    await page.keyboard.press("Enter");
    await page.locator(`.ended, .table:not([data-version="${version}"])`).first().waitFor();
  }
  return { rings, result: await page.locator(".ended h2").innerText(), problems: await problemsOf(page) };
}

// What a screen reader is told: rooms with contents and distance, and a turn at once, not each of its events.
export async function heard() {
  const page = await open(tableOf(job.heard), PHONE);
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
}

// By ear to the end of the game: everything is found by its role and its name, and nothing by where it is.
export async function byEar() {
  const page = await open(tableOf(job.byEar));
  const turn = page.getByRole("region", { name: "Turn" });
  for (;;) {
    await asked(page);
    const end = page.getByRole("heading", { name: /Rescued|Lost/ });
    if (await end.count()) return { result: await end.innerText(), problems: await page.getByRole("alert").allInnerTexts() };
    const version = await versionOf(page);
    await turn.getByRole("group").getByRole("button").first().press("Enter");
    const button = turn.getByRole("button", { name: /: (do it|go)/ });
    if ((await button.getAttribute("data-grave")) === "true") await button.press("Enter"); // it is asked for twice
    await turn.getByRole("button", { name: /: (do it|go)|\? Once more/ }).press("Enter");
    await page.locator(`.ended, .table:not([data-version="${version}"])`).first().waitFor();
  }
}

// What happens is played back to whoever likes motion: water rises where it pours in.
export async function playback() {
  const page = await open(tableOf(job.playback), { ...PHONE, reducedMotion: "no-preference" });
  await asked(page);
  const version = await versionOf(page);
  await page.locator(".openings > summary").click();
  await page.locator(".openings .action", { hasText: "5" }).click();
  await press(page);
  await page.locator(".scene").waitFor();
  await page.locator('.board-picture [data-room="2"] [data-rose]').waitFor({ state: "attached" });
  const [rose, moves] = await page.locator('.board-picture [data-room="2"] [data-rose]').evaluate((water) => [water.dataset.rose, getComputedStyle(water).animationName]);
  await asked(page, version);
  return { rose, moves, problems: await problemsOf(page) };
}

// What a way costs and does is drawn on the board; and what something is, is told to whoever taps, points or types "?".
export async function drawn() {
  const page = await open(tableOf(job.drawn));
  await asked(page);
  const explained = async (act) => {
    await act();
    const box = page.locator(".explain");
    const said = [await box.locator("h2").innerText(), new URL(await box.locator("a").getAttribute("href"), job.address).hash];
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    return said;
  };
  const far = page.locator('.room[data-kind="far"]').first();
  const told = [
    await explained(() => page.locator(".on-track").click()),
    await explained(() => far.click()),
    await explained(() => page.locator('.room[data-place="4"]').click({ button: "right" })),
    await explained(() => page.locator('.room[data-place="5"]').press("?")),
    await explained(() => page.locator(".track").first().click()),
    await explained(() => page.locator(".crew-items .held").first().click()),
  ];
  await page.locator('.room[data-place="5"]').click();
  await page.locator(".cost").waitFor();
  const pours = await page.locator(".pours:not(.under)").count();
  const cost = await page.locator(".cost").innerText();
  const minutes = await page.locator(".spent").count();
  const met = await page.locator('.spent[data-met="true"]').count();
  await look(page, "drawn-1440-light");
  await page.setViewportSize(PHONE);
  await page.locator(".tabs").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await look(page, "drawn-390-dark");
  await page.locator('.room[data-place="2"]').click();
  await page.locator('.action[data-type="fix_oxygen_pumps"]').click();
  const relieved = await page.locator('.track[data-relieved="true"]').innerText();
  return { told, pours, cost, minutes, met, relieved };
}

// The last turn is played back before anything tells that the game is over; and again, for whoever wants to see it once more.
export async function unspoilt() {
  const page = await open(tableOf(job.unspoilt), { reducedMotion: "no-preference" });
  await asked(page);
  await page.evaluate((over) => {
    globalThis.early = [];
    const look = () => {
      if (!document.querySelector(".scene")) return;
      if (document.querySelector(".badge")?.innerText === over || document.querySelector(".ended")) globalThis.early.push(document.querySelector(".table").dataset.version);
    };
    new MutationObserver(look).observe(document.getElementById("client"), { subtree: true, childList: true, characterData: true, attributes: true });
  }, job.over);
  await choose(page);
  await press(page);
  await page.locator(".ended").waitFor();
  const result = await page.locator(".ended h2").innerText();
  const badge = await page.locator(".badge").innerText();
  const lines = await page.locator(".play-log li").count();
  // The picture of the first scene is held back until somebody has read what the log tells by then.
  const read = {};
  read.done = new Promise((done) => (read.end = done));
  let pictures = 0;
  await page.route("**/board.svg*", async (route) => {
    pictures += 1;
    if (pictures > 1) await read.done;
    await route.continue();
  });
  await page.locator(".ended button", { hasText: "since my last turn" }).click();
  await page.locator(".scene").waitFor();
  const told = await page.locator(".play-log li").count();
  read.end();
  await page.locator(".ended").waitFor();
  return { result, badge, lines, told, early: await page.evaluate(() => globalThis.early) };
}
