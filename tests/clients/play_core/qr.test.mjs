// A QR code of ours is read by another's reader.
import assert from "node:assert/strict";
import { test } from "node:test";
import jsqr from "jsqr";
import { qrOf } from "../../../service/pages/assets/play/core/qr.js";

const QUIET = 4;
const SCALE = 4;

function read(rows) {
  const size = (rows.length + 2 * QUIET) * SCALE;
  const pixels = new Uint8ClampedArray(4 * size * size).fill(255);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const dark = rows[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET];
      if (dark) pixels.fill(0, 4 * (y * size + x), 4 * (y * size + x) + 3);
    }
  }
  return jsqr(pixels, size, size)?.data;
}

test("links of every length are read as they were written", () => {
  for (let length = 12; length <= 230; length += 13) {
    const link = `https://x.example/join#g=1&i=${"rn_Ab3-".repeat(40)}`.slice(0, length);
    assert.equal(read(qrOf(link)), link);
  }
});

test("what is too long has none", () => assert.equal(qrOf("x".repeat(231)), null));
