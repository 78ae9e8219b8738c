// The board's picture inside the page: the service's SVG, cut to what is wanted of it.

const ACTIVE = "script, foreignObject, a, style";
const ON_TRACK = "[data-minute], [data-keeper], [data-ghost]";
const LEVELS = ["none", "low", "high"];
const TOO_SMALL = "[data-room] > text, [data-room] > circle"; // numbers and names, which the rooms' buttons show on a phone

/** The parts of the picture: the hull for narrow screens, the time track around it for wide ones. */
export const VIEWS = {
  hull: { x: 100, y: 172, wide: 816, high: 400 },
  ring: { x: 4, y: 66, wide: 992, high: 616 },
};

/**
 * Makes an element of a picture. Nothing in it can act, and it says nothing of itself: the rooms' buttons do.
 * @param {string} text @param {keyof typeof VIEWS} view @returns {SVGSVGElement}
 */
export function pictureOf(text, view) {
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const element of [drawn, ...drawn.querySelectorAll("*")]) {
    if (element.matches(ACTIVE)) element.remove();
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name.endsWith("href") || name.startsWith("aria")) element.removeAttribute(name);
    }
  }
  for (const name of ["title", "desc"]) drawn.querySelector(name)?.remove();
  if (view === "hull") for (const element of drawn.querySelectorAll(`${ON_TRACK}, ${TOO_SMALL}`)) element.remove();
  const { x, y, wide, high } = VIEWS[view];
  drawn.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
  drawn.setAttribute("aria-hidden", "true");
  drawn.removeAttribute("role");
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(drawn, true)));
}

/** Marks the water that stands higher than in the picture before: it is seen to rise. @param {Element} before @param {Element} after */
export function markRising(before, after) {
  for (const room of /** @type {NodeListOf<SVGElement>} */ (after.querySelectorAll("[data-room][data-water]"))) {
    const { room: number, water: is = "" } = room.dataset;
    const was = /** @type {SVGElement | null} */ (before.querySelector(`[data-room="${number}"][data-water]`))?.dataset.water;
    if (was !== undefined && LEVELS.indexOf(is) > LEVELS.indexOf(was)) room.querySelector('[data-part="water"]')?.setAttribute("data-rose", was);
  }
}

/** A small picture of the page's own, from its outline or its SVG. @param {string} inner */
export function signOf(inner) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 24 24">${inner}</svg>`;
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}
