import type { MachineConfigPool, MachineConfigPoolStatus } from '@slipway/api';
import { conditionTransitions } from '@slipway/machineconfig';
import type { Happening } from '../record-event.ts';

type Wording = { readonly type: 'Normal' | 'Warning'; readonly reason: string };

/** The Event of a condition that became True or False; conditions that say the same as another have none. */
const wordings: Readonly<Record<string, Readonly<Record<string, Wording>>>> = {
  Updated: { True: { type: 'Normal', reason: 'Completed' } },
  Updating: { True: { type: 'Normal', reason: 'Updating' } },
  NodeDegraded: {
    True: { type: 'Warning', reason: 'NodeDegraded' },
    False: { type: 'Normal', reason: 'NodeRecovered' },
  },
  RenderDegraded: {
    True: { type: 'Warning', reason: 'RenderDegraded' },
    False: { type: 'Normal', reason: 'RenderRecovered' },
  },
};

/** Events of the pool: what its conditions turned into, and a target that moved. */
export function poolHappenings(
  pool: MachineConfigPool,
  after: MachineConfigPoolStatus,
): readonly Happening[] {
  const changed = conditionTransitions(pool.status?.conditions, after.conditions);
  return changed.flatMap(({ type, status, message }) => {
    const wording = wordings[type]?.[status];
    return wording === undefined ? [] : [{ regarding: pool, ...wording, message: message ?? '' }];
  });
}
