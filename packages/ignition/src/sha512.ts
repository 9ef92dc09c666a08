import { padMessage, primeRoots } from './sha-padding.ts';

const rounds = 80;
const constants = primeRoots(rounds, 3);
const initialState = primeRoots(8, 2);

/**
 * SHA-512 of `bytes` (FIPS 180-4), synchronous and without any platform API. Words are pairs of 32-bit
 * halves in one Int32Array (`[high, low, high, low, …]`), since 64-bit integers are ten times slower here.
 */
export function sha512(bytes: Uint8Array): Uint8Array {
  const message = padMessage(bytes, 128);
  const view = new DataView(message.buffer);
  const state = Int32Array.from(initialState.flatMap(({ high, low }) => [high, low]));
  const schedule = new Int32Array(rounds * 2);
  for (let offset = 0; offset < message.length; offset += 128) {
    fillSchedule(schedule, view, offset);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(64));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

/** High half of a 64-bit right rotation; swap the halves for the low one, and for counts above 32. */
function rotateHalf(half: number, other: number, count: number): number {
  return count < 32
    ? (half >>> count) | (other << (32 - count))
    : (other >>> (count - 32)) | (half << (64 - count));
}

function fillSchedule(schedule: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 32; index += 1) {
    schedule[index] = view.getInt32(offset + index * 4);
  }
  for (let index = 32; index < rounds * 2; index += 2) {
    const earlyHigh = schedule[index - 30] ?? 0;
    const earlyLow = schedule[index - 29] ?? 0;
    const lateHigh = schedule[index - 4] ?? 0;
    const lateLow = schedule[index - 3] ?? 0;
    const sigma0High =
      rotateHalf(earlyHigh, earlyLow, 1) ^ rotateHalf(earlyHigh, earlyLow, 8) ^ (earlyHigh >>> 7);
    const sigma0Low =
      rotateHalf(earlyLow, earlyHigh, 1) ^
      rotateHalf(earlyLow, earlyHigh, 8) ^
      ((earlyLow >>> 7) | (earlyHigh << 25));
    const sigma1High =
      rotateHalf(lateHigh, lateLow, 19) ^ rotateHalf(lateHigh, lateLow, 61) ^ (lateHigh >>> 6);
    const sigma1Low =
      rotateHalf(lateLow, lateHigh, 19) ^
      rotateHalf(lateLow, lateHigh, 61) ^
      ((lateLow >>> 6) | (lateHigh << 26));
    const low =
      (sigma0Low >>> 0) +
      (sigma1Low >>> 0) +
      ((schedule[index - 31] ?? 0) >>> 0) +
      ((schedule[index - 13] ?? 0) >>> 0);
    const carry = Math.floor(low / 0x1_0000_0000);
    schedule[index] =
      sigma0High + sigma1High + (schedule[index - 32] ?? 0) + (schedule[index - 14] ?? 0) + carry;
    schedule[index + 1] = low;
  }
}

function compress(state: Int32Array, schedule: Int32Array): void {
  const work = Int32Array.from(state);
  for (let round = 0; round < rounds; round += 1) {
    const [aH = 0, aL = 0, bH = 0, bL = 0, cH = 0, cL = 0, dH = 0, dL = 0] = work;
    const eH = work[8] ?? 0;
    const eL = work[9] ?? 0;
    const fH = work[10] ?? 0;
    const fL = work[11] ?? 0;
    const gH = work[12] ?? 0;
    const gL = work[13] ?? 0;
    const constant = constants[round] ?? { high: 0, low: 0 };
    const firstLow =
      ((work[15] ?? 0) >>> 0) +
      ((rotateHalf(eL, eH, 14) ^ rotateHalf(eL, eH, 18) ^ rotateHalf(eL, eH, 41)) >>> 0) +
      (((eL & fL) ^ (~eL & gL)) >>> 0) +
      (constant.low >>> 0) +
      ((schedule[round * 2 + 1] ?? 0) >>> 0);
    const firstHigh =
      (work[14] ?? 0) +
      (rotateHalf(eH, eL, 14) ^ rotateHalf(eH, eL, 18) ^ rotateHalf(eH, eL, 41)) +
      ((eH & fH) ^ (~eH & gH)) +
      constant.high +
      (schedule[round * 2] ?? 0) +
      Math.floor(firstLow / 0x1_0000_0000);
    const newLow =
      (firstLow >>> 0) +
      ((rotateHalf(aL, aH, 28) ^ rotateHalf(aL, aH, 34) ^ rotateHalf(aL, aH, 39)) >>> 0) +
      (((aL & bL) ^ (aL & cL) ^ (bL & cL)) >>> 0);
    const newHigh =
      firstHigh +
      (rotateHalf(aH, aL, 28) ^ rotateHalf(aH, aL, 34) ^ rotateHalf(aH, aL, 39)) +
      ((aH & bH) ^ (aH & cH) ^ (bH & cH)) +
      Math.floor(newLow / 0x1_0000_0000);
    const eLow = (dL >>> 0) + (firstLow >>> 0);
    work.copyWithin(2, 0, 14);
    work[0] = newHigh;
    work[1] = newLow;
    work[8] = dH + firstHigh + Math.floor(eLow / 0x1_0000_0000);
    work[9] = eLow;
  }
  addWords(state, work);
}

function addWords(state: Int32Array, work: Int32Array): void {
  for (let index = 0; index < 16; index += 2) {
    const low = ((state[index + 1] ?? 0) >>> 0) + ((work[index + 1] ?? 0) >>> 0);
    state[index] = (state[index] ?? 0) + (work[index] ?? 0) + Math.floor(low / 0x1_0000_0000);
    state[index + 1] = low;
  }
}
