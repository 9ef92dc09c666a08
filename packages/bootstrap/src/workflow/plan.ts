import { nearestName } from './nearest-name.ts';
import { type Phase, type PlacedPhase, phaseName } from './phase.ts';

/** Every phase, parents before their sub-phases, in the order in which they run. */
export function allPhases<Data>(
  phases: readonly Phase<Data>[],
  parent: readonly string[] = [],
): readonly PlacedPhase<Data>[] {
  return phases.flatMap((phase) => {
    const path = [...parent, phase.name];
    return [{ path, phase }, ...allPhases(phase.phases ?? [], path)];
  });
}

/** What of a workflow is to run. */
export type Selection = {
  /** One phase and what is below it; absent: the whole workflow. */
  readonly only?: readonly string[];
  /** `parent` or `parent/child`; aliases are understood. */
  readonly skip?: readonly string[];
};

export type PhasePlan<Data> =
  | { readonly kind: 'plan'; readonly phases: readonly PlacedPhase<Data>[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The phases that run, in order. Refused are names that no phase has, and a phase that is left
 * without what it needs.
 */
export function planPhases<Data>(
  phases: readonly Phase<Data>[],
  selection: Selection,
): PhasePlan<Data> {
  const all = allPhases(phases);
  const only = resolve(all, selection.only === undefined ? [] : [phaseName(selection.only)]);
  const skipped = resolve(all, selection.skip ?? []);
  const unknown = only.unknown ?? skipped.unknown;
  if (unknown !== undefined) return { kind: 'refused', reason: unknownPhase(all, unknown) };
  const planned = all.filter(
    ({ path }) =>
      (selection.only === undefined || only.paths.some((wanted) => isAtOrBelow(path, wanted))) &&
      !skipped.paths.some((unwanted) => isAtOrBelow(path, unwanted)),
  );
  const missing = missingNeed(planned);
  return missing === undefined
    ? { kind: 'plan', phases: planned }
    : { kind: 'refused', reason: missing };
}

/** The phase of that name or alias at each step: `['uploadconfig']` is `['upload-config']`. */
export function findPhase<Data>(
  phases: readonly Phase<Data>[],
  name: string,
): PlacedPhase<Data> | undefined {
  let level = phases;
  let found: PlacedPhase<Data> | undefined;
  for (const word of name.split('/')) {
    const phase = level.find((candidate) => isCalled(candidate, word));
    if (phase === undefined) return undefined;
    found = { path: [...(found?.path ?? []), phase.name], phase };
    level = phase.phases ?? [];
  }
  return found;
}

function isCalled<Data>(phase: Phase<Data>, word: string): boolean {
  return phase.name === word || (phase.aliases ?? []).includes(word);
}

type Resolved = { readonly paths: readonly (readonly string[])[]; readonly unknown?: string };

function resolve<Data>(all: readonly PlacedPhase<Data>[], names: readonly string[]): Resolved {
  const roots = all.filter(({ path }) => path.length === 1).map(({ phase }) => phase);
  const found = names.map((name) => ({ name, placed: findPhase(roots, name) }));
  const unknown = found.find(({ placed }) => placed === undefined)?.name;
  const paths = found.flatMap(({ placed }) => (placed === undefined ? [] : [placed.path]));
  return unknown === undefined ? { paths } : { paths, unknown };
}

function unknownPhase<Data>(all: readonly PlacedPhase<Data>[], name: string): string {
  const names = all.filter(({ phase }) => !phase.hidden).map(({ path }) => phaseName(path));
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `there are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return `there is no phase ${JSON.stringify(name)}; ${hint}`;
}

function isAtOrBelow(path: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.every((name, index) => path[index] === name);
}

function missingNeed<Data>(planned: readonly PlacedPhase<Data>[]): string | undefined {
  const earlier = new Set<string>();
  for (const { path, phase } of planned) {
    const missing = (phase.needs ?? []).filter((need) => !earlier.has(need));
    if (missing.length > 0) {
      return `phase ${phaseName(path)} needs ${missing.join(' and ')} in the same run: skip it too, or run them`;
    }
    earlier.add(phaseName(path));
  }
  return undefined;
}
