// /docs in a real Chromium: node visit_docs.mjs ADDRESS CHROMIUM. Prints what it saw, as JSON.
import { chromium } from "playwright-core";

const [address, executablePath] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
page.setDefaultTimeout(30_000);
const seen = { complaints: [], elsewhere: [], problems: 0, tried: null };
page.on("console", (message) => {
  if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
});
page.on("pageerror", (error) => seen.complaints.push(String(error)));
page.on("requestfailed", (request) => seen.complaints.push(`failed: ${request.url()}`));
page.on("request", (request) => {
  const { origin, protocol } = new URL(request.url());
  if (protocol !== "data:" && origin !== address) seen.elsewhere.push(request.url());
});

await page.goto(`${address}/docs`);
await page.waitForSelector(".opblock");
seen.title = await page.title();
seen.operations = await page.locator(".opblock").count();

const rules = page.locator("#operations-catalogue-getRules");
await rules.locator(".opblock-summary-control").click();
await rules.locator(".execute").click();
const answer = rules.locator(".live-responses-table .response").first();
await answer.waitFor();
seen.tried = { status: (await answer.locator(".response-col_status").innerText()).trim(), body: await answer.innerText() };

await page.goto(`${address}/docs/problems`);
seen.problems = await page.locator("tr[id]").count();
await browser.close();
console.log(JSON.stringify(seen));
