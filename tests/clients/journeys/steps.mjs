// Single steps of a turn, by pointer and by key, and what is told of them.
import { asked, choose, decide, DESK, doIt, PHONE, press, problemsOf, tableOf, versionOf } from "../play_hands.mjs";
import { job, look, open } from "../visitor.mjs";

// Each kind of decision, from a position in which it must be made.
export async function decisions() {
  const page = await open("/new", PHONE);
  const met = {};
  for (const [kind, game] of Object.entries(job.decisions)) {
    await page.goto("about:blank");
    await page.goto(job.address + tableOf(game));
    await asked(page);
    await page.setViewportSize(DESK); // with crew and log in sight
    await look(page, `decision-${kind}-1440-light`);
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
  const focused = () => page.evaluate(() => ({ kind: document.activeElement.className || document.activeElement.id, place: document.activeElement.dataset.place, do: document.activeElement.id === "do-it", ring: getComputedStyle(document.activeElement).outlineStyle }));
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
      rings.push((await tabTo(({ place }) => place === "9")).ring);
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
