import { roleLabel } from '@slipway/api';
import {
  located,
  memberOf,
  type ObjectMember,
  type ObjectNode,
  type SyntaxNode,
  withMember,
} from '@slipway/ignition';
import { withoutNulls } from '../document/without-nulls.ts';
import { issueCode } from '../errors.ts';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { saysNothing } from './keep-fields.ts';

/** The group that OpenShift's objects, and the keys of its labels and annotations, are of. */
export const openShiftGroup = 'machineconfiguration.openshift.io';
const openShiftRoleLabel = `${openShiftGroup}/role`;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Written by an API server about the object that was there, or without meaning for objects of a cluster. */
const serverFields = new Set([
  ...[
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'managedFields',
    'selfLink',
  ],
  ...['ownerReferences', 'finalizers', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

/** What an input is given where it does not say it. */
export type Identity = {
  readonly name?: string;
  /** Default where a role is needed: `worker`. */
  readonly role?: string;
};

/** Metadata as objects of slipway have it: name, labels and annotations of people. */
export function convertMetadata(
  report: ConversionReport,
  given: SyntaxNode | undefined,
  at: SyntaxNode,
): SyntaxNode {
  if (given === undefined || given.kind === 'null') {
    return { ...located(at), kind: 'object', members: [] };
  }
  if (given.kind !== 'object') {
    report.refuse(issueCode.wrongType, given, { message: `must be an object, not ${given.kind}` });
    return { ...located(given), kind: 'object', members: [] };
  }
  const members = given.members.flatMap((original): ObjectMember[] => {
    const member = { ...original, value: withoutNulls(original.value) };
    const { key, value } = member;
    if (key === 'name') return [member];
    if (key === 'labels') return keepSome({ ...member, value: roleLabelled(value) });
    if (key === 'annotations') return keepSome({ ...member, value: ownAnnotations(report, value) });
    if (!serverFields.has(key) && !saysNothing(value)) {
      report.dropped(placeOfMember(member), { message: `${key} has no counterpart in metadata` });
    }
    return [];
  });
  return { ...given, members };
}

function keepSome(member: ObjectMember): ObjectMember[] {
  return saysNothing(member.value) ? [] : [member];
}

/** The object with OpenShift's role label under the key that slipway looks at. */
export function roleLabelled(labels: SyntaxNode): SyntaxNode {
  if (labels.kind !== 'object') return labels;
  const hasOurs = labels.members.some(({ key }) => key === roleLabel);
  const members = labels.members.flatMap((member) => {
    if (member.key !== openShiftRoleLabel) return [member];
    return hasOurs ? [] : [{ ...member, key: roleLabel }];
  });
  return { ...labels, members };
}

/** The key of a label as slipway has it. */
export function ownLabelKey(key: string): string {
  return key === openShiftRoleLabel ? roleLabel : key;
}

function ownAnnotations(report: ConversionReport, annotations: SyntaxNode): SyntaxNode {
  if (annotations.kind !== 'object') {
    report.refuse(issueCode.wrongType, annotations, {
      message: `must be an object, not ${annotations.kind}`,
    });
    return annotations;
  }
  const members = annotations.members.filter(({ key, value }) => {
    // These tell of the operator that wrote the object, and of the object that it was.
    if (key === lastApplied || key.startsWith(`${openShiftGroup}/`)) return false;
    if (value.kind === 'string') return true;
    report.refuse(issueCode.wrongType, value, {
      message: `the value of an annotation must be a text, not ${value.kind}`,
      hint: 'put the value in quotes',
    });
    return false;
  });
  return { ...annotations, members };
}

/** Metadata with the name and role that it lacks, as far as they are known. */
export function completeMetadata(
  report: ConversionReport,
  metadata: SyntaxNode,
  identity: Identity,
): SyntaxNode {
  if (metadata.kind !== 'object') return metadata;
  const labels = memberOf(metadata, 'labels');
  const role = labels && memberOf(labels, roleLabel);
  const withRole =
    role === undefined && (labels === undefined || labels.kind === 'object')
      ? addRole(report, metadata, labels, identity)
      : metadata;
  return addName(report, withRole, identity);
}

const defaultRole = 'worker';

function addRole(
  report: ConversionReport,
  metadata: ObjectNode,
  labels: ObjectNode | undefined,
  { role }: Identity,
): ObjectNode {
  if (role === undefined) {
    report.changed(metadata, {
      message: `the input names no role: it is for ${defaultRole}`,
      hint: 'give another with --role',
    });
  }
  const value: SyntaxNode = { ...located(metadata), kind: 'string', value: role ?? defaultRole };
  const present: ObjectNode = labels ?? { ...located(metadata), kind: 'object', members: [] };
  return withMember(metadata, 'labels', withMember(present, roleLabel, value));
}

function addName(report: ConversionReport, metadata: ObjectNode, { name }: Identity): SyntaxNode {
  const given = memberOf(metadata, 'name');
  if (given !== undefined && given.kind !== 'null') return metadata;
  if (name === undefined) {
    report.refuse(issueCode.convertNameMissing, metadata, {
      message: 'the input has no name for the object',
      hint: 'give one with --name, for example 99-worker-chrony',
    });
  }
  // Under some name the rest is judged as well.
  const value: SyntaxNode = { ...located(metadata), kind: 'string', value: name ?? 'unnamed' };
  return {
    ...metadata,
    members: [{ key: 'name', value }, ...metadata.members.filter(({ key }) => key !== 'name')],
  };
}
