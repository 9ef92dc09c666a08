import { padMessage, primeRoots } from './sha-padding.ts';

/** First 32 bits of the fractional parts: the constants of FIPS 180-4, computed instead of listed. */
const initialState = primeRoots(8, 2).map((root) => root.high);
const roundConstants = Int32Array.from(primeRoots(64, 3), (root) => root.high);

/** SHA-256 of `bytes` (FIPS 180-4), synchronous and without any platform API. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const message = padMessage(bytes, 64);
  const view = new DataView(message.buffer);
  const state = Int32Array.from(initialState);
  const schedule = new Int32Array(64);
  for (let offset = 0; offset < message.length; offset += 64) {
    fillSchedule(schedule, view, offset);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

function rotate(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}

function fillSchedule(schedule: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) {
    schedule[index] = view.getInt32(offset + index * 4);
  }
  for (let index = 16; index < 64; index += 1) {
    const early = schedule[index - 15] ?? 0;
    const late = schedule[index - 2] ?? 0;
    const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = ((schedule[index - 16] ?? 0) + low + (schedule[index - 7] ?? 0) + high) | 0;
  }
}

function compress(state: Int32Array, schedule: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + mixE + choice + (roundConstants[index] ?? 0) + (schedule[index] ?? 0)) | 0;
    const mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + mixA + majority) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + word;
  }
}
