import { compareBytes } from '@slipway/base';

type Labels = Readonly<Record<string, string>>;

const restricted = 'node-restriction.kubernetes.io';

/** Labels of the kubernetes.io and k8s.io names that a kubelet may set on its own Node. */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

const kubeletPrefixes = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

function prefixOf(label: string): string {
  const slash = label.indexOf('/');
  return slash < 0 ? '' : label.slice(0, slash);
}

function isWithin(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`);
}

function isForbidden(label: string): boolean {
  const prefix = prefixOf(label);
  if (isWithin(prefix, restricted)) return true;
  if (!isWithin(prefix, 'kubernetes.io') && !isWithin(prefix, 'k8s.io')) return false;
  if (kubeletLabels.has(label)) return false;
  return !kubeletPrefixes.some((domain) => isWithin(prefix, domain));
}

/** Labels that differ and that a node may not set, change or remove on itself, in order. */
export function forbiddenLabels(labels: Labels = {}, before: Labels = {}): readonly string[] {
  return [...new Set([...Object.keys(labels), ...Object.keys(before)])]
    .filter((label) => labels[label] !== before[label])
    .filter(isForbidden)
    .sort(compareBytes);
}
