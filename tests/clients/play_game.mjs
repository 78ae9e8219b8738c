// The playing client in a real Chromium: node play_game.mjs JOB.json. Plays as people do, by tap and by key; prints what was seen, as JSON.
import { asked, choose, doIt, PHONE, press, quick } from "./play_hands.mjs";
import { journeys } from "./play_journeys.mjs";
import { browser, job, look, open, seen } from "./visitor.mjs";

const MOST_DECISIONS = 80;

const visits = {
  // A whole game on a phone, from the first page.
  async alone() {
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
      if (decision === 3) {
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
  },

  // At a desk by night, in German: the same on one screen, with crew and log.
  async desk() {
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
  },

  // A bot's advice is asked for, staged and played.
  async advised() {
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
  },

  // A player's link to the watching page leads to the table, and the seat is kept from then on.
  async watcher() {
    const page = await open(`/watch/${job.mine.id}#token=${job.mine.token}`);
    await page.locator("#to-table").click();
    await page.waitForURL("**/play/*");
    await asked(page);
    const address = page.url();
    await page.locator(".more summary").click();
    await page.locator('.more-box a[href^="/watch/"]').click();
    await page.waitForURL("**/watch/*");
    await page.goBack();
    await asked(page);
    const other = await page.context().newPage(); // another tab
    await other.goto(address);
    await asked(other);
    return { address, who: await other.locator(".status-who").innerText() };
  },

  // A friend opens the link, takes the seat and is on the board; the token is in no address.
  async friend() {
    const host = await open("/new");
    await quick(host);
    await host.locator("#make").click();
    await host.waitForURL("**/play/*");
    await host.locator(".invite").click();
    const link = await host.locator("code.link").innerText();
    await look(host, "lobby-1440-light");
    const friend = await open("/", { ...PHONE, expected: /403|409/ });
    await friend.goto(link);
    await friend.locator("input").fill('Bea <img src=x onerror="alert(1)">');
    await look(friend, "join-390-light");
    await friend.locator("#join").click();
    await friend.waitForURL("**/play/*");
    await host.locator(".lobby").getByText("Bea").waitFor();
    await doIt(host).click();
    await friend.locator(".panel-turn .sheet-body").waitFor();
    await host.locator(".panel-crew").getByText("Bea").waitFor();
    // The link is used up: whoever comes after is told so.
    const late = await open("/", { expected: /403|409/ });
    await late.goto(link);
    await late.locator("#join").click();
    const told = await late.locator(".notice").innerText();
    // Another friend takes a bot's place while the game goes on.
    await host.locator(".more > summary").click();
    await host.locator(".replace > summary").click();
    await host.locator(".replace .invite").first().click();
    await late.goto("about:blank");
    await late.goto(await host.locator(".replace code.link").innerText());
    await late.locator("input").fill("Cleo");
    await late.locator("#join").click();
    await late.waitForURL("**/play/*");
    await host.locator(".panel-crew").getByText("Cleo").waitFor();
    const tokens = await Promise.all([host, friend, late].map((page) => page.evaluate(() => Object.values(JSON.parse(localStorage["red-november.seats"])).map((seat) => seat.token))));
    return { link, told, tokens: tokens.flat(), images: await host.locator("img[src=x]").count() };
  },
};

const only = job.only ?? [];
for (const [name, visit] of Object.entries({ ...visits, ...journeys })) {
  if (!only.length || only.includes(name)) seen[name] = await visit();
}
await browser.close();
console.log(JSON.stringify(seen));
