import type { Phase } from './phase.ts';
import { allPhases } from './plan.ts';

/** The phases of a workflow for its help: one line each, sub-phases indented below their parents. */
export function phaseList<Data>(phases: readonly Phase<Data>[]): string {
  const rows = allPhases(phases)
    .filter(({ phase }) => !phase.hidden)
    .map(({ path, phase }) => ({
      label: `${'  '.repeat(path.length - 1)}${path.length > 1 ? '/' : ''}${phase.name}`,
      description: phase.description,
    }));
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  return rows.map(({ label, description }) => `${label.padEnd(width)}  ${description}`).join('\n');
}
