import type { DriftFinding } from '@slipway/api';
import type { ExpectedPath, ExpectedState, ExpectedUnit } from '../declaration/expected-state.ts';
import { maskTarget } from '../declaration/unit-paths.ts';
import type { Observation, ObservedUnit } from '../observe.ts';
import { absent, type Image } from '../state/image.ts';
import { enablementMatches } from './enablement.ts';

/** Every difference between what is declared and what is there, in the order of the declaration. */
export function compare(expected: ExpectedState, observed: Observation): readonly DriftFinding[] {
  const declared = new Set(expected.paths.map(({ path }) => path));
  return [
    ...expected.paths.flatMap((path) => comparePath(path, observed.paths.get(path.path) ?? absent)),
    ...expected.units
      .flatMap((unit) => compareUnit(unit, observed.units.get(unit.name)))
      .filter(({ path, kind }) => kind !== 'enablement' || !declared.has(path)),
  ];
}

function comparePath(expected: ExpectedPath, found: Image): readonly DriftFinding[] {
  const { path, image } = expected;
  if (expected.accepts === 'not-masked') {
    return isMask(found) ? [{ path, kind: 'mask', expected: 'not masked', actual: 'masked' }] : [];
  }
  if (image.type === 'absent') {
    if (found.type === 'absent') return [];
    return [{ path, kind: 'unexpected', expected: 'absent', actual: wordImage(found) }];
  }
  if (found.type === 'absent') {
    return [{ path, kind: isMask(image) ? 'mask' : 'missing', expected: wordImage(image) }];
  }
  if (isMask(image) && !isMask(found)) {
    return [{ path, kind: 'mask', expected: 'masked', actual: wordImage(found) }];
  }
  if (isMask(found) && expected.role === 'unit' && image.type === 'file') {
    return [{ path, kind: 'mask', expected: 'not masked', actual: 'masked' }];
  }
  if (image.type !== found.type) {
    return [{ path, kind: 'type', expected: image.type, actual: wordImage(found) }];
  }
  return compareSameType(expected, image, found);
}

function compareSameType(
  { path, owner }: ExpectedPath,
  image: Image,
  found: Image,
): readonly DriftFinding[] {
  const findings: DriftFinding[] = [];
  if (image.type === 'symlink' && found.type === 'symlink' && image.target !== found.target) {
    findings.push({ path, kind: 'type', expected: image.target, actual: found.target });
  }
  if (image.type === 'file' && found.type === 'file' && image.digest !== found.digest) {
    findings.push({ path, kind: 'content', expected: image.digest, actual: found.digest });
  }
  if (!hasAttributes(image) || !hasAttributes(found)) return findings;
  if (image.mode !== found.mode) {
    const [wanted, actual] = [wordMode(image.mode), wordMode(found.mode)];
    findings.push({ path, kind: 'mode', expected: wanted, actual });
  }
  if (image.uid !== found.uid || image.gid !== found.gid) {
    const wanted = image.uid < 0 || image.gid < 0 ? owner : `${image.uid}:${image.gid}`;
    findings.push({ path, kind: 'owner', expected: wanted, actual: `${found.uid}:${found.gid}` });
  }
  return findings;
}

function hasAttributes(image: Image): image is Extract<Image, { mode: number }> {
  return image.type === 'file' || image.type === 'directory';
}

/**
 * Enablement of one unit. A unit of the vendor that the host does not have is not drift: nothing was
 * there to enable when the configuration was applied either.
 */
function compareUnit(unit: ExpectedUnit, found: ObservedUnit | undefined): readonly DriftFinding[] {
  if (unit.enabled === undefined || found === undefined) return [];
  if (!unit.owned && !found.exists) return [];
  const { name: path } = unit;
  if (isMaskedState(found.unitFileState)) {
    return [{ path, kind: 'mask', expected: 'not masked', actual: found.unitFileState }];
  }
  if (enablementMatches(unit.enabled, found.unitFileState)) return compareLinks(unit, found);
  const expected = unit.enabled ? 'enabled' : 'disabled';
  const actual = found.unitFileState === '' ? 'no unit file' : found.unitFileState;
  return [{ path, kind: 'enablement', expected, actual }];
}

/** A unit is enabled for systemd while one of its links is left; declared are all of them. */
function compareLinks(unit: ExpectedUnit, found: ObservedUnit): readonly DriftFinding[] {
  if (unit.enabled !== true) return [];
  return (found.brokenLinks ?? []).map(({ path, type, target }) => {
    const expected = `link to ${unit.name}`;
    if (type === 'absent') return { path, kind: 'enablement', expected };
    return { path, kind: 'enablement', expected, actual: target ?? type };
  });
}

function isMaskedState(state: string): boolean {
  return state === 'masked' || state === 'masked-runtime';
}

function isMask(image: Image): boolean {
  return image.type === 'symlink' && image.target === maskTarget;
}

function wordMode(mode: number): string {
  return `0${mode.toString(8).padStart(3, '0')}`;
}

function wordImage(image: Image): string {
  switch (image.type) {
    case 'file':
      return image.digest;
    case 'symlink':
      return image.target === maskTarget ? 'masked' : `symlink to ${image.target}`;
    case 'directory':
      return 'directory';
    case 'other':
      return 'special file';
    case 'absent':
      return 'absent';
  }
}
