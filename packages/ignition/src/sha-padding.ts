/** A 64-bit word as two signed halves. */
export type Word64 = { readonly high: number; readonly low: number };

/**
 * First 64 fractional bits of the square (`degree` 2) or cube (`degree` 3) roots of the first `count` primes:
 * the "nothing up my sleeve" constants of FIPS 180-4.
 */
export function primeRoots(count: number, degree: 2 | 3): Word64[] {
  return primes(count).map((prime) => {
    const scaled = BigInt(prime) << BigInt(64 * degree);
    const fraction = BigInt.asUintN(64, integerRoot(scaled, BigInt(degree)));
    return {
      high: Number(fraction >> 32n) | 0,
      low: Number(BigInt.asUintN(32, fraction)) | 0,
    };
  });
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

/** Largest `root` with `root ** degree <= value`, by bisection over its bits. */
function integerRoot(value: bigint, degree: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 72n; bit > 0n; bit >>= 1n) {
    if ((root | bit) ** degree <= value) root |= bit;
  }
  return root;
}

/** The message followed by a one bit, zeros and its length in bits, up to a multiple of `blockSize` bytes. */
export function padMessage(bytes: Uint8Array, blockSize: 64 | 128): Uint8Array<ArrayBuffer> {
  const lengthSize = blockSize / 8;
  const blocks = Math.ceil((bytes.length + 1 + lengthSize) / blockSize);
  const padded = new Uint8Array(blocks * blockSize);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}
