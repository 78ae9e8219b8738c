// The one button that does what is staged. What is grave is held, not tapped.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";

const HOLD_MS = 900;

/**
 * @param {object} props
 * @param {string} props.label @param {boolean} props.isGrave @param {boolean} props.isReady @param {boolean} props.isBusy
 * @param {boolean} props.canGoBack @param {() => void} props.onBack @param {() => void} props.onDo
 * @param {import("../core/words.js").Words} props.words
 */
export function DoIt({ label, isGrave, isReady, isBusy, canGoBack, onBack, onDo, words }) {
  const [held, hold] = useState(false);
  const [armed, arm] = useState(false);
  const timer = useRef(0);
  useEffect(() => {
    arm(false);
    return () => clearTimeout(timer.current);
  }, [label]);
  const press = () => {
    if (!isGrave || !isReady || isBusy) return;
    hold(true);
    timer.current = setTimeout(() => {
      hold(false);
      onDo();
    }, HOLD_MS);
  };
  const release = () => {
    clearTimeout(timer.current);
    hold(false);
  };
  // A key, and a tap of an assistive device, can't be held: they are asked for twice.
  /** @param {MouseEvent} event */
  const click = (event) => {
    if (!isGrave) return onDo();
    if (event.detail !== 0) return undefined;
    if (armed) return onDo();
    return arm(true);
  };
  const says = isBusy ? words.say("sending") : armed ? words.say("again", { what: label }) : label;
  return html`<div class="doit">
    <button type="button" class="undo" disabled=${!canGoBack || isBusy} onClick=${onBack} aria-label=${words.say("take_back")} title=${words.say("take_back")}>↶</button>
    <button
      type="button"
      class="primary do"
      id="do-it"
      disabled=${!isReady || isBusy}
      data-grave=${isGrave}
      data-held=${held}
      onPointerDown=${press}
      onPointerUp=${release}
      onPointerLeave=${release}
      onPointerCancel=${release}
      onContextMenu=${(/** @type {Event} */ event) => isGrave && event.preventDefault()}
      onClick=${click}
    ><span>${says}</span>${isGrave && isReady && html`<small>${words.say("hold")}</small>`}</button>
  </div>`;
}
