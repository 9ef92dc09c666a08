import { formatIssue } from '@slipway/base';
import { issueCode } from '../errors.ts';
import { listNames } from '../rollout/conditions.ts';
import type { RenderFinding } from './render-pool.ts';

const reasons: Readonly<Record<string, string>> = {
  [issueCode.nothingSelected]: 'NothingSelected',
  [issueCode.tooLarge]: 'TooLarge',
};

/** One finding with the MachineConfig to blame: `MachineConfig 99-x: spec.config…: message`. */
export function describeFinding(finding: RenderFinding): string {
  const source = finding.source === undefined ? '' : `MachineConfig ${finding.source}: `;
  return `${source}${formatIssue(finding)}`;
}

/** Reason and message of condition RenderDegraded for a refused rendering. */
export function renderFailure(findings: readonly RenderFinding[]): {
  readonly reason: string;
  readonly message: string;
} {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const blamed = first?.source === undefined ? 'InvalidPool' : 'InvalidMachineConfig';
  const reason = reasons[first?.code ?? ''] ?? blamed;
  return { reason, message: listNames(errors.map(describeFinding)) };
}
