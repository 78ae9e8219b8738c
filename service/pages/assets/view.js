// What is seen of one version: the picture, the crew, the decision. The latest wish wins.

import { $, sleep } from "./dom.js";
import { showCrew } from "./crew.js";

const PAUSE_MS = 150; // between two loads: a fast game must not use up what its watcher may ask for
const RETRY_MS = 3000;
const dark = matchMedia("(prefers-color-scheme: dark)");

export class View {
  // `troubled` is told of an error, or of none.
  constructor(api, story, troubled) {
    Object.assign(this, { api, story, troubled, wanted: null, seen: null, loading: null });
    dark.addEventListener("change", () => {
      this.forget();
      if (this.wanted != null) this.show(this.wanted);
    });
  }

  forget() {
    this.seen = null;
  }

  // Done when that version is seen, or a later wish has been.
  show(version) {
    this.wanted = version;
    this.loading ??= this.load().finally(() => (this.loading = null));
    return this.loading;
  }

  async load() {
    while (this.seen !== this.wanted) {
      const version = this.wanted;
      try {
        await this.see(version);
        this.seen = version;
        this.troubled(null);
      } catch (error) {
        this.troubled(error);
        if (error.status < 500) this.seen = version; // asking again would change nothing
        else await sleep(RETRY_MS);
      }
      await sleep(PAUSE_MS);
    }
  }

  async see(version) {
    const [state, drawing] = await Promise.all([
      this.api.state(version),
      this.api.board(version, dark.matches ? "dark" : "light"),
    ]);
    await showBoard(drawing);
    showCrew(state, this.story);
    if (!this.api.token) $("board-link").href = this.api.boardAddress(version, "auto");
  }
}

// As an image, so that nothing in it can act; what it says of itself is its description.
async function showBoard(drawing) {
  const { documentElement } = new DOMParser().parseFromString(drawing, "image/svg+xml");
  const said = ["title", "desc"].map((name) => documentElement.querySelector(name)?.textContent.trim());
  const old = $("board");
  const image = old.cloneNode();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  image.alt = said.filter(Boolean).join(". ");
  await image.decode(); // so that nothing flickers
  old.replaceWith(image);
}
