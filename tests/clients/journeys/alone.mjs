// One player at a table: whole games, advice, screens of all sizes.
import { asked, choose, doIt, PHONE, press, quick, tableOf } from "../play_hands.mjs";
import { job, look, open } from "../visitor.mjs";

const MOST_DECISIONS = 80;

// A whole game on a phone, from the first page.
export async function alone() {
  const page = await open("/", PHONE);
  await quick(page);
  await page.locator('a[href="/new#now"]').click();
  await page.waitForURL("**/play/*");
  await asked(page);
  await page.locator(".board-picture svg").waitFor();
  await look(page, "play-390-light");
  const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, summary, a, select")]
      .filter((each) => each.checkVisibility() && !each.matches(".skip, .held, .token"))
      .map((each) => ({ name: each.ariaLabel ?? each.textContent, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width && Math.min(box.width, box.height) < 43.5)
      .map(({ name, box }) => `${name}: ${Math.round(box.width)}x${Math.round(box.height)}`),
  );
  const taps = [];
  let reloaded = null;
  let version = 0;
  for (let decision = 0; decision < MOST_DECISIONS; decision += 1) {
    await asked(page, version);
    if (await page.locator(".ended").count()) break;
    taps.push((await choose(page)) + 1);
    if (decision === 0) { // of as many as chance allows
      await page.reload(); // the seat stays
      await asked(page);
      reloaded = await page.locator(".status-who").innerText();
      await choose(page);
    }
    version = await page.locator(".table").getAttribute("data-version");
    await press(page);
  }
  const result = await page.locator(".ended h2").innerText();
  const over = page.url();
  await look(page, "play-over-390-light");
  await page.locator("#rematch").click();
  await page.waitForURL((url) => url.href !== over);
  await asked(page);
  const rematch = await page.locator(".status-who").innerText();
  return { rematch, scrolls, small, taps, result, reloaded, url: page.url() };
}

// At a desk by night, in German: the same on one screen, with crew and log.
export async function desk() {
  const page = await open("/new?lang=de", { colorScheme: "dark" });
  await quick(page);
  await look(page, "new-1440-dark");
  await page.locator("#play-now").click();
  await page.waitForURL("**/play/*");
  await asked(page);
  await page.locator(".board-picture svg").waitFor();
  await page.locator('.room[data-place="5"]').focus();
  const walked = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    await page.keyboard.press(key);
    walked.push(await page.evaluate(() => document.activeElement.dataset.place));
  }
  const spoken = await page.evaluate(() => document.activeElement.ariaLabel);
  await look(page, "play-1440-dark");
  const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  return { walked, spoken, scrolls, who: await page.locator(".status-who").innerText() };
}

// Eight gnomes at a desk: each is in sight, and the log beside them.
export async function eight() {
  const page = await open(tableOf(job.eight));
  await page.locator(".crew-gnome").nth(7).waitFor();
  const [crew, log] = await Promise.all([".panel-crew", ".panel-log"].map((part) => page.locator(part).evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }))));
  await look(page, "eight-1440-light");
  return { hidden: crew.scrollHeight - crew.clientHeight, log: log.clientHeight };
}

// A bot's advice is asked for, staged and played.
export async function advised() {
  const page = await open("/new#now", PHONE);
  await asked(page);
  const unasked = await page.locator(".advice .choice").count();
  await page.locator("#advice").click();
  await page.locator(".advice .choice").first().waitFor();
  await look(page, "advice-390-light");
  await page.locator(".advice .choice").first().click();
  await page.locator(".advice .choice[aria-pressed=true]").waitFor();
  const staged = await doIt(page).innerText();
  const version = await page.locator(".table").getAttribute("data-version");
  await press(page);
  await asked(page, version);
  return { unasked, staged, problem: await page.locator(".sheet-note").count() };
}

// Letters of twice the size: everything is there, nothing is wider than the screen, and the button is in sight.
export async function large() {
  const fits = {};
  for (const [name, size] of [["390", PHONE], ["1440", {}]]) {
    const page = await open(tableOf(job.large), size);
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
}

// What the first board costs on a line that is slow.
export async function throttled() {
  const page = await open("/", PHONE);
  const wiretap = await page.context().newCDPSession(page);
  await wiretap.send("Network.enable");
  await wiretap.send("Network.setCacheDisabled", { cacheDisabled: true });
  await wiretap.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: 400_000, uploadThroughput: 100_000 });
  let bytes = 0;
  wiretap.on("Network.dataReceived", ({ encodedDataLength }) => (bytes += encodedDataLength));
  const began = Date.now();
  await page.goto(job.address + tableOf(job.throttled));
  await page.locator(".board-picture svg").waitFor();
  return { bytes, ms: Date.now() - began };
}
