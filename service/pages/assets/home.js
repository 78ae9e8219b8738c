// The first page: its lists stay fresh, and bots play at a click.

import { $, sleep } from "./dom.js";

const FRESH_MS = 15000;

// The page as it is now, asked for again: the server writes it, in one place.
async function refresh() {
  const reply = await fetch(location.href);
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of ["now", "games", "matches"]) {
    const fresh = document.adoptNode(page.getElementById(id));
    if (!$(id).contains(document.activeElement)) $(id).replaceWith(fresh);
  }
}

async function ask(path, body, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.detail);
  return answer;
}

const button = $("let-bots-play");
button.hidden = false;
button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    const { token, game: { id } } = await ask("/v1/games", { seats: Array(4).fill("captain") });
    await ask(`/v1/games/${id}/start`, {}, token);
    location.assign(`/watch/${id}${button.dataset.lang}#play`); // bots are fast
  } catch (error) {
    $("trouble").textContent = $("trouble").dataset.failed.replace("{reason}", () => error.message);
    $("trouble").hidden = false;
  }
  button.disabled = false;
});

for (;;) {
  await sleep(FRESH_MS);
  if (!document.hidden) await refresh().catch(() => {});
}
