// Friends at the same table, and onlookers.
import { asked, decide, doIt, PHONE, playOn, problemsOf, quick, soonOver, tableOf } from "../play_hands.mjs";
import { job, look, open } from "../visitor.mjs";

// A player's link to the watching page leads to the table, and the seat is kept from then on.
export async function watcher() {
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
}

// A friend opens the link, takes the seat and is on the board; the token is in no address.
export async function friend() {
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
}

// Two players show each other what they would do, and where to look; a bot weighs what is staged.
export async function shown() {
  const [one, other] = [await open(tableOf(job.shown[0])), await open(tableOf(job.shown[1]), PHONE)];
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
  await other.locator(".point > summary").click();
  await other.locator('.hatch[aria-label*="4–5"]').click();
  await one.locator(".signals").getByText("4–5").waitFor();
  const hatch = await one.locator(".signals").innerText();
  await one.locator("#advice").click();
  await one.locator("#weighed").waitFor();
  const weighed = await one.locator("#weighed").innerText();
  await decide(one); // and what was shown goes with its version
  await other.locator(".way.proposed").waitFor({ state: "detached" });
  return { plan, ping, hatch, weighed };
}

// A host who wants no advice has none on the page.
export async function unadvised() {
  const page = await open(tableOf(job.unadvised), PHONE);
  await asked(page);
  return await page.locator("#advice").count();
}

// A host begins with bots, a friend takes the place of one on a phone, by a link, and both play to the end.
export async function later() {
  const host = await open("/");
  await soonOver(host, [4, 3, 2, 2]);
  await host.locator('a[href="/new#now"]').click();
  await host.waitForURL("**/play/*");
  await asked(host);
  await host.locator(".more > summary").click();
  await host.locator(".replace > summary").click();
  await host.locator(".replace .invite").first().click();
  const friend = await open("/", PHONE);
  await friend.goto(await host.locator(".replace code.link").innerText());
  await friend.locator("#join").click();
  await friend.waitForURL("**/play/*");
  await host.locator(".more > summary").click();
  let taken = 0; // turns of the friend
  const ends = await Promise.all([playOn(host), playOn(friend, () => (taken += 1))]);
  return { ends, taken };
}

// Links that lead nowhere any more, and requests that the service refuses: the page says why, and what to do.
export async function refused() {
  const said = {};
  const late = await open("/", { ...PHONE, expected: /403|409/ });
  for (const [name, { game, invitation }] of Object.entries(job.links)) {
    await late.goto("about:blank");
    await late.goto(`${job.address}/join#${new URLSearchParams({ g: game, i: invitation })}`);
    await late.locator("#join").click();
    said[name] = await late.locator(".notice").innerText();
  }
  const page = await open(tableOf(job.large[0]), { expected: /409|413/ });
  await asked(page);
  await page.route("**/signal", (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), moves: [{ type: "x".repeat(10_000) }] }) }));
  await page.locator('.room[data-place="8"]').click();
  await page.locator(".point > summary").click();
  await page.locator("#propose").click();
  said.body_too_large = await page.locator(".sheet-note").innerText();
  // Where one can get to is asked for a seat that need not decide; and then for the one that must.
  const other = await open(tableOf(job.apart), { expected: /409/ });
  await other.route("**/reach", (route) => route.continue({ url: route.request().url().replace("seats/0", "seats/1") }), { times: 1 });
  await other.reload();
  said.not_your_turn = await other.locator(".sheet-note").innerText();
  await other.locator("#look-again").click();
  await asked(other);
  return { said, left: await problemsOf(other) };
}
