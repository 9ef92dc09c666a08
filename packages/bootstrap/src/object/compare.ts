import type { KubeObject } from '@slipway/api';
import { isJsonObject, jsonEqual } from '@slipway/base';

/**
 * Members that an API server fills in where a writer left them out. One that is missing here costs an
 * update that the server finds to change nothing.
 */
const filledIn: ReadonlySet<string> = new Set([
  'apiGroup',
  'clusterIPs',
  'conversion',
  'defaultMode',
  'dnsPolicy',
  'failureThreshold',
  'imagePullSecrets',
  'internalTrafficPolicy',
  'ipFamilies',
  'ipFamilyPolicy',
  'listKind',
  'maxSurge',
  'maxUnavailable',
  'periodSeconds',
  'progressDeadlineSeconds',
  'restartPolicy',
  'revisionHistoryLimit',
  'rollingUpdate',
  'schedulerName',
  'secrets',
  'serviceAccount',
  'sessionAffinity',
  'singular',
  'status',
  'successThreshold',
  'terminationGracePeriodSeconds',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'timeoutSeconds',
]);

/** `apiVersion` of a field reference and `type` of some things are filled in; elsewhere they say what it is. */
function isFilledIn(member: string, parent: Record<string, unknown>): boolean {
  if (filledIn.has(member)) return true;
  if (member === 'apiVersion') return 'fieldPath' in parent;
  return member === 'type' && ('clusterIP' in parent || parent['kind'] === 'Secret');
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === '' || value === 0 || value === false;
}

/** True when `live` says what `wanted` says, whatever a server filled in. */
function saysTheSame(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(live)) return wanted.length === 0 && live === undefined;
    return (
      live.length === wanted.length && wanted.every((item, index) => saysTheSame(live[index], item))
    );
  }
  if (!isJsonObject(wanted)) return jsonEqual(live ?? null, wanted ?? null);
  if (!isJsonObject(live)) return isEmpty(wanted) && isEmpty(live);
  const known = Object.keys(wanted).every((member) => saysTheSame(live[member], wanted[member]));
  return known && Object.keys(live).every((member) => isKnown(member, live, wanted));
}

function isKnown(
  member: string,
  live: Record<string, unknown>,
  wanted: Record<string, unknown>,
): boolean {
  return member in wanted || isFilledIn(member, live) || isEmpty(live[member]);
}

/** Every pair of `wanted` is in `live`; what else is there belongs to others. */
function includes(live: unknown, wanted: unknown): boolean {
  if (!isJsonObject(wanted)) return true;
  const present = isJsonObject(live) ? live : {};
  return Object.entries(wanted).every(([key, value]) => jsonEqual(present[key], value));
}

/** Members whose further keys belong to others: signatures in cluster-info, a backup of the Corefile. */
const openMembers: readonly string[] = ['data', 'binaryData'];

/**
 * True when the object in the cluster needs no update to mean what is wanted: what the server filled in,
 * labels, annotations and data of others do not count.
 */
export function meansTheSame(live: KubeObject, wanted: KubeObject): boolean {
  const { metadata: liveMetadata = {}, ...liveContent } = live as Record<string, unknown>;
  const { metadata: wantedMetadata = {}, ...wantedContent } = wanted as Record<string, unknown>;
  const read = (metadata: unknown, member: string): unknown =>
    isJsonObject(metadata) ? metadata[member] : undefined;
  const owned = read(wantedMetadata, 'ownerReferences');
  if (owned !== undefined && !jsonEqual(read(liveMetadata, 'ownerReferences'), owned)) return false;
  if (!includes(read(liveMetadata, 'labels'), read(wantedMetadata, 'labels'))) return false;
  if (!includes(read(liveMetadata, 'annotations'), read(wantedMetadata, 'annotations'))) {
    return false;
  }
  if (!openMembers.every((member) => includes(liveContent[member], wantedContent[member]))) {
    return false;
  }
  const closed = (content: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(content).filter(([key]) => !openMembers.includes(key)));
  return saysTheSame(closed(liveContent), closed(wantedContent));
}
