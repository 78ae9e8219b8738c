// A QR code of a link: bytes, the lowest level of correction, versions 1 to 9.

/** By version: bytes of data, bytes of correction a block, blocks, middles of the alignment patterns. */
const VERSIONS = [
  { data: 19, check: 7, blocks: 1, middles: [] },
  { data: 34, check: 10, blocks: 1, middles: [6, 18] },
  { data: 55, check: 15, blocks: 1, middles: [6, 22] },
  { data: 80, check: 20, blocks: 1, middles: [6, 26] },
  { data: 108, check: 26, blocks: 1, middles: [6, 30] },
  { data: 136, check: 18, blocks: 2, middles: [6, 34] },
  { data: 156, check: 20, blocks: 2, middles: [6, 22, 38] },
  { data: 194, check: 24, blocks: 2, middles: [6, 24, 42] },
  { data: 232, check: 30, blocks: 2, middles: [6, 26, 46] },
];
const HEADER_BITS = 12; // mode and length
const MASK = 0; // any may be read; this one is even enough for links
const LEVEL = 1; // the lowest

const POWERS = new Uint8Array(255);
const LOGS = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at += 1) {
  POWERS[at] = value;
  LOGS[value] = at;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}

/** @param {number} one @param {number} other */
const times = (one, other) => (one && other ? POWERS[(LOGS[one] + LOGS[other]) % 255] : 0);

/** The bytes of correction of a block. @param {number[]} data @param {number} count */
function checkOf(data, count) {
  let divisor = [1];
  for (let at = 0; at < count; at += 1) {
    const next = [...divisor, 0];
    divisor.forEach((factor, place) => (next[place + 1] ^= times(factor, POWERS[at])));
    divisor = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const lead = rest[at];
    divisor.forEach((factor, place) => (rest[at + place] ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

/** @param {number} value @param {number} bits */
const bitsOf = (value, bits) => Array.from({ length: bits }, (_, at) => (value >> (bits - 1 - at)) & 1);

/** All bytes in the order in which they are drawn. @param {Uint8Array} bytes @param {typeof VERSIONS[0]} version */
function codewords(bytes, { data, check, blocks }) {
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, 8), ...[...bytes].flatMap((byte) => bitsOf(byte, 8)), 0, 0, 0, 0].slice(0, 8 * data);
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(8 * at, 8 * at + 8).join(""), 2));
  for (let pad = 0; words.length < data; pad += 1) words.push(pad % 2 ? 0x11 : 0xec);
  const each = data / blocks;
  const parts = Array.from({ length: blocks }, (_, at) => words.slice(at * each, (at + 1) * each));
  const checks = parts.map((part) => checkOf(part, check));
  const woven = (/** @type {number[][]} */ columns) => columns[0].flatMap((_, at) => columns.map((column) => column[at]));
  return [...woven(parts), ...woven(checks)];
}

/** Five bits with ten that correct them. @param {number} value @param {number} bits @param {number} divisor @param {number} rest */
function corrected(value, bits, divisor, rest) {
  let left = value << rest;
  for (let at = bits - 1; at >= 0; at -= 1) if (left & (1 << (at + rest))) left ^= divisor << at;
  return (value << rest) | left;
}

/** Rows of dark modules; null for a link that is too long. @param {string} text @returns {boolean[][] | null} */
export function qrOf(text) {
  const bytes = new TextEncoder().encode(text);
  const number = VERSIONS.findIndex(({ data }) => 8 * data >= HEADER_BITS + 8 * bytes.length) + 1;
  if (!number) return null;
  const version = VERSIONS[number - 1];
  const size = 17 + 4 * number;
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {unknown} */ dark) => {
    if (row >= 0 && column >= 0 && row < size && column < size) grid[row][column] = Boolean(dark);
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(set, row, column, 4, (far) => far !== 2 && far !== 4);
  const last = version.middles.at(-1);
  for (const row of version.middles) {
    for (const column of version.middles) {
      const isCorner = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!isCorner) square(set, row, column, 2, (far) => far !== 1);
    }
  }
  formats(set, size, number);
  fill(grid, codewords(bytes, version).flatMap((word) => bitsOf(word, 8)));
  return /** @type {boolean[][]} */ (grid);
}

/** @param {(row: number, column: number, dark: unknown) => void} set @param {number} row @param {number} column @param {number} reach @param {(far: number) => boolean} isDark */
function square(set, row, column, reach, isDark) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) set(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
  }
}

/** What tells readers the level, the mask and the version. @param {(row: number, column: number, dark: unknown) => void} set @param {number} size @param {number} number */
function formats(set, size, number) {
  const format = corrected((LEVEL << 3) | MASK, 5, 0x537, 10) ^ 0x5412;
  const bit = (/** @type {number} */ at) => (format >> at) & 1;
  for (let at = 0; at < 15; at += 1) {
    const down = at < 6 ? at : at < 8 ? at + 1 : size - 15 + at;
    const right = at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at;
    set(down, 8, bit(at));
    set(8, right, bit(at));
  }
  set(size - 8, 8, 1);
  if (number < 7) return;
  const told = corrected(number, 6, 0x1f25, 12);
  for (let at = 0; at < 18; at += 1) {
    const [row, column] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(row, column, (told >> at) & 1);
    set(column, row, (told >> at) & 1);
  }
}

/** Fills what is left, two columns at a time, up and down. @param {(boolean | null)[][]} grid @param {number[]} bits */
function fill(grid, bits) {
  const size = grid.length;
  let at = 0;
  let goesUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = goesUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== null) continue;
        const isMasked = (row + column) % 2 === 0;
        grid[row][column] = Boolean(bits[at] ?? 0) !== isMasked;
        at += 1;
      }
    }
    goesUp = !goesUp;
  }
}
