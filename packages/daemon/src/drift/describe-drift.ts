import type { DriftFinding } from '@slipway/api';

const differences: Readonly<Record<DriftFinding['kind'], string>> = {
  missing: 'missing',
  content: 'content differs',
  mode: 'mode differs',
  owner: 'owner differs',
  type: 'type differs',
  enablement: 'enablement differs',
  mask: 'mask differs',
  unexpected: 'unexpected',
};

/** One finding in one phrase: `/etc/chrony.conf: content differs (expected sha256:…, found sha256:…)`. */
export function describeFinding(finding: DriftFinding): string {
  const parts = [
    ...(finding.expected === undefined ? [] : [`expected ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`found ${finding.actual}`]),
  ];
  const detail = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${finding.path}: ${differences[finding.kind]}${detail}`;
}

/** All findings as the reason of a degraded node. */
export function describeDrift(findings: readonly DriftFinding[]): string {
  return `unexpected on-disk state: ${findings.map(describeFinding).join('; ')}`;
}
