// What the page's address asks for: #v=57 or ?version=57, #play from the start, and #token=rn_… of a player.

export function readAddress() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const asked = hash.get("v") ?? new URLSearchParams(location.search).get("version");
  return { version: /^\d{1,9}$/.test(asked ?? "") ? Number(asked) : null, play: hash.has("play"), token: hash.get("token") };
}

// Without the token: it is nobody's to read over a shoulder, and not to be copied with a link.
export function addressOf(version) {
  const query = new URLSearchParams(location.search);
  query.delete("version");
  const rest = query.size ? `?${query}` : "";
  return `${location.pathname}${rest}${version == null ? "" : `#v=${version}`}`;
}

export function writeAddress(version) {
  history.replaceState(null, "", addressOf(version));
}
