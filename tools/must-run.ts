/** Skips that are right even in CI, by the reason they print. Everything else must run there. */
const allowed: readonly RegExp[] = [
  // The other half of a pair of tests: one runs as root, the other only as an ordinary user.
  /root may write everywhere/,
];

/** True when a skipped test, printed as `file: name: reason`, must run on a CI machine. */
export function mustRun(line: string): boolean {
  return !allowed.some((pattern) => pattern.test(line));
}
