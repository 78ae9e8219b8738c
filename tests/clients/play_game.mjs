// The playing client in a real Chromium: node play_game.mjs JOB.json. Plays as people do, by tap and by key; prints what was seen, as JSON.
import * as alone from "./journeys/alone.mjs";
import * as company from "./journeys/company.mjs";
import * as device from "./journeys/device.mjs";
import * as line from "./journeys/line.mjs";
import * as steps from "./journeys/steps.mjs";
import { browser, job, seen } from "./visitor.mjs";

const AT_ONCE = 3; // a journey mostly waits: for bots, for the line, for what is drawn

const journeys = { ...alone, ...steps, ...company, ...device, ...line };
const ahead = Object.entries(journeys).filter(([name]) => !job.only.length || job.only.includes(name));

async function travel() {
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    const [name, journey] = next;
    try {
      seen[name] = await journey();
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, travel));
await browser.close();
console.log(JSON.stringify(seen));
