import { compare } from '../../drift/compare.ts';
import { describeFinding } from '../../drift/describe-drift.ts';
import { daemonError } from '../../failure.ts';
import { observeExpected } from '../../observe.ts';
import type { Step } from '../step.ts';

/** Looks whether the host shows everything that the target declares. */
export const verify: Step = {
  name: 'verify',
  code: 'daemon.verify-failed',

  isDone: () => Promise.resolve(false),

  async apply({ host, target }) {
    const findings = compare(target.expected, await observeExpected(host, target.expected));
    if (findings.length === 0) return;
    const list = findings.map(describeFinding).join('; ');
    throw daemonError('daemon.verify-failed', `verify ${target.config.name}: ${list}`);
  },

  undo: () => Promise.resolve(),
};
