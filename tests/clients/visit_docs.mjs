// /docs and what belongs to it in a real Chromium: node visit_docs.mjs JOB. Prints what it saw, as JSON.
import { browser, look, open, seen } from "./visitor.mjs";

const page = await open("/docs");
await page.waitForSelector(".opblock");
seen.title = await page.title();
seen.operations = await page.locator(".opblock").count();
seen.locks = await page.locator(".opblock .authorization__btn").count();
seen.optional = await page.locator(".opblock .optional .authorization__btn").count();
await look(page, "docs");

const rules = page.locator("#operations-catalogue-getRules");
await rules.locator(".opblock-summary-control").click();
await rules.locator(".execute").click();
const answer = rules.locator(".live-responses-table .response").first();
await answer.waitFor();
seen.tried = { status: (await answer.locator(".response-col_status").innerText()).trim(), body: await answer.innerText() };

const problems = await open("/docs/problems");
seen.problems = await problems.locator("tr[id]").count();
await look(problems, "problems");

seen.shown = {};
for (const colorScheme of ["light", "dark"]) {
  for (const width of [375, 1280]) {
    const guide = await open("/docs/guide", { colorScheme, width });
    for (const name of ["curl", "JavaScript", "Python"]) {
      await guide.getByLabel(name, { exact: true }).check();
      seen.shown[name] = await guide.locator("pre:visible > code[class]").evaluateAll((all) => [...new Set(all.map((each) => each.className))]);
    }
    await look(guide, `guide-${colorScheme}-${width}`);
  }
}
await browser.close();
console.log(JSON.stringify(seen));
