// What one device keeps: several players, a first game, sounds and calls.
import { asked, decide, PHONE, playOn, press, soonOver, tableOf, versionOf } from "../play_hands.mjs";
import { job, look, open, seen } from "../visitor.mjs";

const seatsOf = (page) => page.evaluate(() => JSON.parse(localStorage["red-november.seats"]));

// Three people at one device, whose hands are hidden: between two of them a curtain, to the end of the game.
export async function hotSeat() {
  const page = await open("/new", PHONE);
  await soonOver(page, [3, 2, 2]);
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
  const problems = [];
  for (;;) {
    await page.locator(".curtain, .ended, .table[data-asks=true]").first().waitFor();
    if (await page.locator(".ended").count()) break;
    if (await page.locator(".curtain").count()) {
      if (!curtains.length) {
        await look(page, "curtain-390-light");
        await page.reload(); // which shows nobody's hand
        await page.locator("#i-am").waitFor();
      }
      curtains.push({ who: await page.locator("#i-am").innerText(), items: await page.locator(".item, .held, .room").count() });
      await page.locator("#i-am").click();
      await asked(page);
      crew.add(await page.locator(".crew-notes").allInnerTexts().then((notes) => notes.findIndex((note) => note.includes("you"))));
    }
    problems.push(...(await decide(page)));
  }
  return { curtains, crew: crew.size, problems, result: await page.locator(".ended h2").innerText() };
}

// Where hands are open, the next player at the device goes on at once, to the end of the game.
export async function openSeat() {
  const page = await open("/new", PHONE);
  await soonOver(page, [3, 2, 2]);
  await page.locator(".new-seats input[type=range]").fill("3");
  for (const seat of [1, 2]) await page.locator(".new-seats select").nth(seat).selectOption("here");
  await page.locator("#make").click();
  await page.waitForURL("**/play/*");
  const turns = [];
  const end = await playOn(page, async () => turns.push(await page.locator(".status .seat").getAttribute("data-seat")));
  return { turns, ...end };
}

// A first game: whoever taps what the coach speaks of plays three good turns.
export async function first() {
  const page = await open("/new", PHONE);
  await page.route("**/v1/games", (route) => {
    const { position, ...table } = route.request().postDataJSON();
    const [mine, ...others] = position.gnomes;
    const gnomes = [{ ...mine, minutes: 40 }, ...others.map((gnome) => ({ ...gnome, minutes: 2 }))]; // the end comes soon after the third turn
    return route.continue({ postData: JSON.stringify({ ...table, seats: ["open", "sailor", "sailor"], position: { ...position, gnomes } }) });
  });
  await page.locator("#first-game").click();
  await page.waitForURL("**/play/*");
  const told = [];
  let pressure = null;
  for (let step = 0; step < 30; step += 1) {
    await asked(page);
    const wants = await page.locator(".table").getAttribute("data-coach");
    const said = await page.locator(".coach p").innerText();
    if (said !== told.at(-1)) told.push(said);
    if (said.startsWith("2/3")) pressure ??= await page.locator(".track b").nth(2).innerText();
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
  await page.locator(".coach-end").click();
  await page.locator(".coach").waitFor({ state: "detached" });
  await page.locator(".tabs button").nth(2).click();
  await page.locator(".told").first().click(); // a card in the log
  const explained = await page.locator(".explain p").first().innerText();
  await page.locator(".explain button").click();
  await page.locator(".tabs button").first().click();
  return { told, pressure, explained, end: await playOn(page) };
}

// Sounds, notifications, and another device are asked for in one place.
export async function called() {
  const page = await open(tableOf(job.called), PHONE);
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
}

export * from "./line.mjs";
