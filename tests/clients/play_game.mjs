// The playing client in a real Chromium: node play_game.mjs JOB.json. Plays as people do, by tap and by key; prints what was seen, as JSON.
import { browser, job, seen } from "./visitor.mjs";

const AT_ONCE = 3; // a journey mostly waits: for bots, for the line, for what is drawn

const journeys = await import(`./journeys/${job.journeys}.mjs`);
const ahead = Object.entries(journeys).filter(([name]) => !job.only.length || job.only.includes(name));

async function travel() {
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    const [name, journey] = next;
    const began = Date.now();
    try {
      seen[name] = await journey();
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      error.stack = `${error.stack}\n${await shownOn()}`;
      throw error;
    }
    seen.took[name] = Date.now() - began;
  }
}

// What is on every open page: a journey that waits in vain does not know why.
async function shownOn() {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const told = pages.map(async (page) => [page.url(), ...(await page.locator(".table, .status, .notice, .sheet-note, .sheet-body, .doit").evaluateAll((parts) => parts.map((part) => (part.matches(".table") ? JSON.stringify(part.dataset) : part.innerText))))].join("\n"));
  return (await Promise.allSettled(told)).map(({ value, reason }) => value ?? String(reason)).join("\n---\n");
}

await Promise.all(Array.from({ length: AT_ONCE }, travel));
await browser.close();
console.log(JSON.stringify(seen));
