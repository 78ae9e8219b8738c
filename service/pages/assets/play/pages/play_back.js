// The browser's Back takes the last staged step back, as long as there is one, and only then leaves the table.

/** @param {import("../core/player.js").Player} player */
export function keepBack(player) {
  const isStaged = () => Boolean(player.session.isMine && player.isPresent && player.plan.isStaged);
  /** Puts a page of its own into the browser's history, once. */
  const hold = () => {
    if (isStaged() && !history.state?.staged) history.pushState({ staged: true }, "");
  };
  addEventListener("popstate", ({ state }) => {
    if (state?.staged) return undefined; // Forward
    if (!isStaged()) return history.back();
    player.back();
    return hold();
  });
  return hold;
}
