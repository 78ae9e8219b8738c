// Calls to whoever looks elsewhere: sounds and notifications, both off until they are asked for, the title and the icon.

const NOTES = {
  turn: [[660, 0, 0.16], [880, 0.14, 0.24]],
  good: [[523, 0, 0.12], [784, 0.1, 0.2]],
  bad: [[196, 0, 0.22], [147, 0.16, 0.3]],
  card: [[392, 0, 0.1]],
};
const LOUDNESS = 0.12;

/** @typedef {keyof typeof NOTES} Sound */

/** @type {AudioContext | null} */
let audio = null;

/** Plays a few notes, which need no file. @param {Sound} sound */
export function play(sound) {
  audio ??= new AudioContext();
  for (const [pitch, after, length] of NOTES[sound]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const [from, to] = [audio.currentTime + after, audio.currentTime + after + length];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS, from);
    volume.gain.exponentialRampToValueAtTime(0.001, to);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(to);
  }
}

/** What a scene sounds like. @param {import("../core/playback.js").Scene} scene @returns {Sound | null} */
export function soundOf({ events }) {
  const has = (/** @type {string[]} */ ...types) => events.some(({ type }) => types.includes(type));
  if (has("gnome_died", "action_failed", "room_flooded", "fire_started", "token_placed")) return "bad";
  if (has("action_succeeded", "gnome_woke")) return "good";
  return has("event_drawn") ? "card" : null;
}

/** Whether notifications may be shown; asks where nobody has decided yet. */
export async function mayNotify() {
  if (!("Notification" in globalThis)) return false;
  const allowed = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  return allowed === "granted";
}

/** Tells who looks at another page. @param {string} title @param {string} body @param {string} game one notification a game */
export function notify(title, body, game) {
  if (!document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body, tag: game });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // some phones show notifications of installed apps only
  }
}

/** The icon of the tab says whose turn it is. @param {boolean} isMine */
export function showTurn(isMine) {
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (!icon) return;
  icon.dataset.calm ??= icon.href;
  const wanted = isMine ? (document.getElementById("client")?.dataset.turnIcon ?? icon.href) : icon.dataset.calm;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
