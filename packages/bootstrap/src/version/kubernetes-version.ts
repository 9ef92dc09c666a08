/** A release of Kubernetes: `v1.37.2`, `v1.38.0-rc.1`. */
export type KubernetesVersion = {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `alpha.1`, `rc.0`; empty for a release. */
  readonly preRelease: string;
};

const pattern = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,6})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Reads `v1.37.2` or `1.37.2`; undefined when it is no version. Build metadata is left out, as SemVer compares. */
export function parseKubernetesVersion(text: string): KubernetesVersion | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, major, minor, patch, preRelease = ''] = found;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease };
}

/** `v1.37.2`, with the pre-release when there is one. */
export function formatKubernetesVersion(version: KubernetesVersion): string {
  const { major, minor, patch, preRelease } = version;
  return `v${major}.${minor}.${patch}${preRelease === '' ? '' : `-${preRelease}`}`;
}

/** The minor of a settled version: 37 of `v1.37.2`; 0 where the text is no version. */
export function kubernetesMinor(text: string): number {
  return parseKubernetesVersion(text)?.minor ?? 0;
}

/** Negative, zero or positive, by the rules of SemVer 2.0.0 §11. */
export function compareKubernetesVersions(
  left: KubernetesVersion,
  right: KubernetesVersion,
): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] - right[part];
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

function comparePreReleases(left: string, right: string): number {
  if (left === right) return 0;
  if (left === '') return 1;
  if (right === '') return -1;
  const lefts = left.split('.');
  const rights = right.split('.');
  for (const [index, one] of lefts.entries()) {
    const other = rights[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length;
}

function compareIdentifiers(left: string, right: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(left) && numeric.test(right)) return Number(left) - Number(right);
  // A number is less than a word.
  if (numeric.test(left) !== numeric.test(right)) return numeric.test(left) ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
