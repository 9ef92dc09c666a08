import type { JsonObject } from '@slipway/base';
import { formatBootstrapToken, type TokenRecord } from '@slipway/pki';

/** Columns of the list of tokens, kubeadm's. */
export const tokenColumns = [
  'TOKEN',
  'TTL',
  'EXPIRES',
  'USAGES',
  'DESCRIPTION',
  'EXTRA GROUPS',
] as const;

/** A row of the list of tokens. It shows the whole token: that is what the list is for. */
export function tokenRow(record: TokenRecord, nowMs: number): readonly string[] {
  const { expiresAt } = record;
  return [
    formatBootstrapToken(record.token).reveal(),
    expiresAt === undefined ? '<forever>' : remaining(expiresAt - nowMs),
    expiresAt === undefined ? '<never>' : stamp(expiresAt),
    sortedUsages(record).join(',') || '<none>',
    record.description ?? '<none>',
    record.groups?.join(',') || '<none>',
  ];
}

/** The object that `-o json` and `-o yaml` print: kubeadm's output API, so that scripts go on working. */
export function tokenObject(record: TokenRecord): JsonObject {
  const { token, description, expiresAt, groups = [] } = record;
  const usages = sortedUsages(record);
  return {
    kind: 'BootstrapToken',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    token: formatBootstrapToken(token).reveal(),
    ...(description === undefined ? {} : { description }),
    ...(expiresAt === undefined ? {} : { expires: stamp(expiresAt) }),
    ...(usages.length === 0 ? {} : { usages }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
  };
}

function sortedUsages({ usages = [] }: TokenRecord): string[] {
  return [...usages].sort((a, b) => (a < b ? -1 : 1));
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Time left in its largest unit, rounded down: `23h`, `59m`, `<expired>`. */
function remaining(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 0) return '<expired>';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  const days = Math.floor(seconds / 86_400);
  return days < 365 ? `${days}d` : `${Math.floor(days / 365)}y`;
}
