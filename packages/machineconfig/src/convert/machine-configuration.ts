import { type DefaultDisruptionActions, machineConfigurations } from '@slipway/api';
import {
  located,
  memberOf,
  type ObjectMember,
  type ObjectNode,
  type SyntaxNode,
  treeFromJson,
} from '@slipway/ignition';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { saysNothing } from './keep-fields.ts';
import { convertMetadata } from './object-metadata.ts';
import { givenSpec, ownObject } from './own-object.ts';

const policyField = 'nodeDisruptionPolicy';
const defaultsField = 'defaultNodeDisruptionPolicySpecAction';

/** What OpenShift's operator says about itself unless told otherwise. */
const quietDefaults: Readonly<Record<string, string>> = {
  managementState: 'Managed',
  logLevel: 'Normal',
  operatorLogLevel: 'Normal',
};

const openShiftDefaults: DefaultDisruptionActions = {
  files: [{ type: 'Reboot' }],
  units: [{ type: 'Reboot' }],
};

/** Makes a disruption policy of OpenShift's, or of slipway's. */
export function fromMachineConfiguration(
  report: ConversionReport,
  root: ObjectNode,
  isOpenShift: boolean,
): ObjectNode {
  const { kind } = machineConfigurations;
  const metadata = convertMetadata(report, memberOf(root, 'metadata'), root);
  const spec = givenSpec(root);
  if (spec.kind !== 'object') return ownObject(kind, root, { metadata, spec });
  const members = spec.members.flatMap((member): ObjectMember[] => {
    if (member.key === policyField)
      return [{ ...member, value: keepPolicies(report, member.value) }];
    if (member.key === defaultsField) return [member];
    dropField(report, member);
    return [];
  });
  const hasDefaults = members.some(({ key }) => key === defaultsField);
  const defaults = isOpenShift && !hasDefaults ? [addDefaults(report, spec)] : [];
  return ownObject(kind, root, { metadata, spec: { ...spec, members: [...defaults, ...members] } });
}

function dropField(report: ConversionReport, member: ObjectMember): void {
  const { key, value } = member;
  const usual = Object.hasOwn(quietDefaults, key) ? quietDefaults[key] : undefined;
  const isUsual = value.kind === 'string' && value.value === usual;
  if (isUsual || saysNothing(value)) return;
  report.dropped(placeOfMember(member), {
    message: `${key} has no counterpart: it is about OpenShift's own operator`,
  });
}

function addDefaults(report: ConversionReport, spec: SyntaxNode): ObjectMember {
  report.differs(spec, {
    message:
      'on OpenShift a changed file that no policy names reboots the node, and here it disrupts nothing: the defaults are set to Reboot',
    hint: 'add policies for what OpenShift exempts by itself, such as registries and certificates',
  });
  const { root } = treeFromJson(openShiftDefaults);
  return { key: defaultsField, value: { ...root, ...located(spec) } };
}

/** Policies without those of actions that only OpenShift has. */
function keepPolicies(report: ConversionReport, policy: SyntaxNode): SyntaxNode {
  if (policy.kind !== 'object') return policy;
  const members = policy.members.flatMap((member): ObjectMember[] => {
    const { value } = member;
    if (value.kind === 'array') {
      return [
        {
          ...member,
          value: { ...value, items: value.items.filter((entry) => isKept(report, entry)) },
        },
      ];
    }
    return isKept(report, value) ? [member] : [];
  });
  return { ...policy, members };
}

function isKept(report: ConversionReport, entry: SyntaxNode): boolean {
  const actions = memberOf(entry, 'actions');
  if (actions?.kind !== 'array') return true;
  const special = actions.items.find((action) => {
    const type = memberOf(action, 'type');
    return type?.kind === 'string' && type.value === 'Special';
  });
  if (special === undefined) return true;
  report.dropped(entry, {
    message: 'the policy is left out: action Special belongs to software of OpenShift',
    hint: 'name the service with Reload or Restart',
  });
  return false;
}
