import { compareBytes, jsonEqual } from '@slipway/base';
import type { ExpectedPath, ExpectedState, ExpectedUnit } from '../declaration/expected-state.ts';
import { maskTarget } from '../declaration/unit-paths.ts';
import { enablementMatches, isEnabled } from '../drift/enablement.ts';
import type { Observation, ObservedUnit } from '../observe.ts';
import { absent, type Image, sameImage } from '../state/image.ts';
import type { Originals } from '../state/originals.ts';
import type { PathChange, PlannedAction, UnitChange, UpdatePlan } from './update-plan.ts';

/** What the disruption policy says of a change. */
export type Disruption = {
  readonly actions: readonly PlannedAction[];
  readonly drain: boolean;
  readonly reboot: boolean;
};

export type PlanInput = {
  /** Absent: adoption. */
  readonly from?: { readonly name: string; readonly expected: ExpectedState };
  readonly to: { readonly name: string; readonly expected: ExpectedState };
  /** Of every path and unit of both, and of every original. */
  readonly observed: Observation;
  readonly originals: Originals;
  readonly disruption: Disruption;
  readonly forced: boolean;
};

/** Works out the whole update. Writes only what differs from the host, unless it is forced. */
export function planUpdate(input: PlanInput): UpdatePlan {
  const { from, to, originals, disruption, forced } = input;
  const kept = new Set(to.expected.paths.map((entry) => entry.path));
  const keptUnits = new Set(to.expected.units.map((unit) => unit.name));
  const releasedPaths = without(
    [...(from?.expected.paths ?? []).map((entry) => entry.path), ...originals.paths.keys()],
    kept,
  );
  const releasedUnits = without(
    [...(from?.expected.units ?? []).map((unit) => unit.name), ...originals.units.keys()],
    keptUnits,
  );
  const paths = [
    ...to.expected.paths.flatMap((entry) => planPath(entry, input)),
    ...releasedPaths.flatMap((path) => planRelease(path, input)),
  ];
  const units = [
    ...to.expected.units.flatMap((unit) => planUnit(unit, input)),
    ...releasedUnits.flatMap((unit) => planUnitRelease(unit, input)),
  ];
  return {
    ...(from === undefined ? {} : { from: from.name }),
    to: to.name,
    forced,
    paths,
    adoptedPaths: [...kept].filter((path) => !originals.paths.has(path)),
    adoptedUnits: [...keptUnits].filter((unit) => !originals.units.has(unit)),
    releasedPaths,
    releasedUnits,
    units,
    actions: forced || disruption.reboot ? [] : disruption.actions,
    drain: forced || disruption.drain || disruption.reboot,
    reboot: forced || disruption.reboot,
  };
}

function without(names: readonly string[], kept: ReadonlySet<string>): readonly string[] {
  return [...new Set(names)].filter((name) => !kept.has(name)).sort(compareBytes);
}

function planPath(entry: ExpectedPath, { observed, forced }: PlanInput): readonly PathChange[] {
  const before = observed.paths.get(entry.path) ?? absent;
  if (entry.accepts === 'not-masked') {
    return isMask(before) ? [{ path: entry.path, before, after: absent }] : [];
  }
  const same = sameImage(before, entry.image);
  if (same && !(forced && entry.image.type === 'file')) return [];
  return [{ path: entry.path, before, after: entry.image }];
}

/**
 * A path that leaves the configuration gets its original back; without one it goes. A directory
 * is not removed here: those that the daemon made go when they are empty. Where one stands in the way
 * of an original, preflight refuses: the original is not forgotten.
 */
function planRelease(path: string, { observed, originals }: PlanInput): readonly PathChange[] {
  const before = observed.paths.get(path) ?? absent;
  const after = originals.paths.get(path) ?? absent;
  if (sameImage(before, after)) return [];
  if (before.type === 'directory' && after.type === 'absent') return [];
  return [{ path, before, after }];
}

const unknownUnit: ObservedUnit = { unitFileState: '', exists: false, install: [] };

function planUnit(unit: ExpectedUnit, input: PlanInput): readonly UnitChange[] {
  const found = input.observed.units.get(unit.name) ?? unknownUnit;
  const before = found.unitFileState;
  const replaced = unit.masked || (unit.owned && !jsonEqual(unit.install, found.install));
  const disableFirst = isEnabled(before) && replaced;
  const after = planLinks(unit, found, { disableFirst, input });
  if (after === 'keep' && !disableFirst) return [];
  return [{ name: unit.name, before, disableFirst, ...brokenLinksOf(found), after }];
}

/** What is no link is never replaced: enabling fails there, and tells it. */
function brokenLinksOf({ brokenLinks = [] }: ObservedUnit): Pick<UnitChange, 'brokenLinks'> {
  const links = brokenLinks.filter(({ type }) => type === 'absent' || type === 'symlink');
  if (links.length === 0) return {};
  const places = links.map(({ path, target }) => ({
    path,
    ...(target === undefined ? {} : { target }),
  }));
  return { brokenLinks: places };
}

function planLinks(
  unit: ExpectedUnit,
  found: ObservedUnit,
  { disableFirst, input }: LinksInput,
): UnitChange['after'] {
  if (unit.masked) return 'keep';
  if (unit.enabled !== undefined) {
    return declaredLinks({ ...unit, enabled: unit.enabled }, found, { disableFirst, input });
  }
  const declaredBefore = input.from?.expected.units.find(({ name }) => name === unit.name);
  if (declaredBefore?.enabled !== undefined) {
    return restoreLinks(input.originals.units.get(unit.name), found, disableFirst);
  }
  return disableFirst ? 'enable' : 'keep';
}

type LinksInput = { readonly disableFirst: boolean; readonly input: PlanInput };

function declaredLinks(
  unit: ExpectedUnit & { readonly enabled: boolean },
  found: ObservedUnit,
  { disableFirst, input }: LinksInput,
): UnitChange['after'] {
  // A unit of the vendor that the host does not have: there is nothing to enable.
  if (!unit.owned && !found.exists) return 'keep';
  const settled = enablementMatches(unit.enabled, found.unitFileState) && !disableFirst;
  // Where it cannot be told whether links are missing, enabling once more does no harm.
  const whole = !unit.enabled || (found.brokenLinks ?? ['unknown']).length === 0;
  if (settled && whole && !input.forced) return 'keep';
  if (unit.enabled) return 'enable';
  return found.unitFileState === '' ? 'keep' : 'disable';
}

/** The links of a unit whose enablement is no longer declared: as they were, else the vendor's preset. */
function restoreLinks(
  original: string | undefined,
  found: ObservedUnit,
  disabled: boolean,
): UnitChange['after'] {
  if (original === undefined) return 'preset';
  const now = isEnabled(found.unitFileState) && !disabled;
  if (isEnabled(original)) return now ? 'keep' : 'enable';
  return now ? 'disable' : 'keep';
}

function planUnitRelease(name: string, input: PlanInput): readonly UnitChange[] {
  const found = input.observed.units.get(name) ?? unknownUnit;
  const declared = input.from?.expected.units.find((unit) => unit.name === name);
  const replaced = declared?.owned === true || declared?.masked === true;
  const disableFirst = isEnabled(found.unitFileState) && replaced;
  const original = input.originals.units.get(name);
  const managedLinks = replaced || declared?.enabled !== undefined;
  // A unit file of ours that had no original simply goes: there is nothing left to preset.
  const vanishes = declared?.owned === true && (original === undefined || original === '');
  const after =
    managedLinks && !vanishes ? restoreLinks(original, found, disableFirst) : ('keep' as const);
  if (after === 'keep' && !disableFirst) return [];
  return [{ name, before: found.unitFileState, disableFirst, after }];
}

function isMask(image: Image): boolean {
  return image.type === 'symlink' && image.target === maskTarget;
}
