// What visitors in a real Chromium share: a browser, what they saw in it, and ways to open a page and look at it.
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { chromium } from "playwright-core";

export const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const axe = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
export const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu"] });
export const seen = { took: {}, complaints: [], elsewhere: [], addresses: [], referrers: [], accessibility: [], wide: [] };

// `expected` complaints are none.
export async function open(path, { width = 1440, height = 900, colorScheme = "light", locale = "en", address = job.address, hasTouch = false, reducedMotion = "reduce", expected } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale, hasTouch, reducedMotion });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 120_000));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type()) || expected?.test(message.text())) return;
    seen.complaints.push(`${path}: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.complaints.push(`${path}: ${error}`));
  page.on("dialog", (dialog) => seen.complaints.push(`${path}: a dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    seen.addresses.push(request.url());
    if (request.headers().referer) seen.referrers.push(request.headers().referer);
    if (protocol !== "data:" && origin !== address) seen.elsewhere.push(request.url());
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error("policy:", event.violatedDirective, event.blockedURI));
  });
  await page.goto(address + path);
  return page;
}

// A wire to the service that can be cut, or stand and carry nothing.
export async function wire() {
  const { hostname, port } = new URL(job.address);
  const [ends, nears] = [new Set(), new Set()];
  let cut = false;
  const server = createServer((near) => {
    if (cut) return near.destroy();
    const far = connect(port, hostname);
    near.pipe(far).pipe(near);
    nears.add(near);
    for (const end of [near, far]) ends.add(end.on("error", () => end.destroy()));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    cut: () => {
      cut = true;
      for (const end of ends) end.destroy();
    },
    // What is open carries nothing more, and who asks something over it learns that; new ways in are well.
    stall: () => ends.forEach((end) => end.unpipe().on("data", () => nears.has(end) && end.destroy()).resume()),
    mend: () => (cut = false),
    close: () => {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

// A picture to keep.
export const keep = (page, name) => page.screenshot({ path: `${job.folder}/${name}.png`, fullPage: true });

// A picture, and a look by axe, which takes a second.
export async function look(page, name) {
  await keep(page, name);
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) seen.wide.push(name);
  await page.evaluate(axe);
  for (const obstacle of await page.evaluate(obstacles)) seen.accessibility.push({ picture: name, page: page.url(), ...obstacle });
}

// In the page: each rule that a node breaks. What axe says of a document that changed while it looked is asked once more.
async function obstacles() {
  let changed = false;
  const watch = new MutationObserver(() => (changed = true));
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  let { violations } = await axe.run();
  if (violations.length && changed) ({ violations } = await axe.run());
  watch.disconnect();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary, html }) => ({ rule: id, node: target.join(" "), html, why: failureSummary })),
  );
}

export const text = (page, id) => page.locator(`#${id}`).innerText();
export const state = (page, wanted) => page.locator(`#badge[data-state=${wanted}]`).waitFor();
