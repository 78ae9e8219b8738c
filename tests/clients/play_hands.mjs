// What hands do at the table, whatever is asked for: they wait, choose, and press the button.
export const PHONE = { width: 390, height: 844, hasTouch: true };
export const DESK = { width: 1440, height: 900 };
export const tableOf = (game) => `/play/${game.id}#token=${game.token}`;
export const doIt = (page) => page.locator("#do-it");

// Bots that need no time; whatever is asked for them, a sailor comes.
export const quick = (page) =>
  page.route("**/v1/games", (route) => route.continue({ postData: route.request().postData()?.replaceAll("captain", "sailor") }));

const APART = [9, 6, 3, 5]; // rooms: who meets nobody has nothing to trade

// A new table's game is at its end soon: its gnomes have so few minutes left.
export const soonOver = (page, minutes) =>
  page.route("**/v1/games", (route) => {
    const { rules, ...table } = route.request().postDataJSON();
    const gnomes = minutes.map((left, seat) => ({ minutes: left, stack: seat, room: APART[seat] }));
    const seats = table.seats.map((seat) => (seat === "captain" ? "sailor" : seat));
    return route.continue({ postData: JSON.stringify({ ...table, seats, position: { rules: { ...rules, gnomes: gnomes.length }, gnomes } }) });
  });

export const asked = (page, since = 0) => page.locator(`.ended, .table[data-asks=true]:not([data-version="${since}"])`).first().waitFor();
export const versionOf = (page) => page.locator(".table").getAttribute("data-version");
export const problemsOf = (page) => page.locator(".sheet-note").allInnerTexts();

// Chooses something for the decision that is asked for; returns how many taps that took.
export async function choose(page) {
  if (await page.locator(".choice").count()) {
    await page.locator(".choice").first().click();
    return 1;
  }
  const actions = page.locator(".actions[role=group] > .action");
  if (!(await actions.count())) {
    await page.locator('.room[data-kind="near"]').first().click();
    return 1;
  }
  await actions.first().click();
  await page.locator(".actions .action[aria-pressed=true]").waitFor();
  return 1;
}

export async function press(page) {
  const button = doIt(page);
  if ((await button.getAttribute("data-grave")) !== "true") return button.click();
  await button.focus(); // what is grave is asked for twice
  await page.keyboard.press("Enter");
  return page.keyboard.press("Enter");
}

// One decision, whatever it is; returns the problems that it met.
export async function decide(page) {
  const version = await versionOf(page);
  await choose(page);
  await press(page);
  await page.locator(`.curtain, .ended, .table:not([data-version="${version}"])`).first().waitFor();
  return (await page.locator(".sheet-note").count()) ? problemsOf(page) : [];
}

// Decides whenever this page is asked, until the game is over; returns what its end is called and the problems on the way.
export async function playOn(page, turned = () => {}) {
  const problems = [];
  for (;;) {
    await asked(page);
    if (await page.locator(".ended").count()) return { result: await page.locator(".ended h2").innerText(), problems };
    await turned();
    problems.push(...(await decide(page)));
  }
}
