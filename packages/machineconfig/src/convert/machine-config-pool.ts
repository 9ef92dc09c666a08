import { memberOf, type ObjectMember, type ObjectNode, type SyntaxNode } from '@slipway/ignition';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { saysNothing } from './keep-fields.ts';
import { convertMetadata, ownLabelKey, roleLabelled } from './object-metadata.ts';
import { givenSpec, ownObject } from './own-object.ts';

const selectors = ['machineConfigSelector', 'nodeSelector'];
const kept = ['maxUnavailable', 'paused'];
/** Written by the operator: which rendered MachineConfig the pool is at. */
const written = 'configuration';

/** Makes a pool of one of OpenShift, or of slipway. Selectors look at slipway's role label. */
export function fromPool(report: ConversionReport, root: ObjectNode): ObjectNode {
  const metadata = convertMetadata(report, memberOf(root, 'metadata'), root);
  const spec = givenSpec(root);
  if (spec.kind !== 'object') return ownObject('MachineConfigPool', root, { metadata, spec });
  const members = spec.members.flatMap((member): ObjectMember[] => {
    if (selectors.includes(member.key))
      return [{ ...member, value: rewriteSelector(member.value) }];
    if (kept.includes(member.key)) return [member];
    if (member.key !== written && !saysNothing(member.value)) {
      report.dropped(placeOfMember(member), {
        message: `${member.key} has no counterpart in a pool`,
      });
    }
    return [];
  });
  return ownObject('MachineConfigPool', root, { metadata, spec: { ...spec, members } });
}

function rewriteSelector(selector: SyntaxNode): SyntaxNode {
  if (selector.kind !== 'object') return selector;
  const members = selector.members.map((member) => {
    const { key, value } = member;
    if (key === 'matchLabels') return { ...member, value: roleLabelled(value) };
    if (key !== 'matchExpressions' || value.kind !== 'array') return member;
    return { ...member, value: { ...value, items: value.items.map(rewriteExpression) } };
  });
  return { ...selector, members };
}

function rewriteExpression(expression: SyntaxNode): SyntaxNode {
  if (expression.kind !== 'object') return expression;
  const members = expression.members.map((member) =>
    member.key === 'key' && member.value.kind === 'string'
      ? { ...member, value: { ...member.value, value: ownLabelKey(member.value.value) } }
      : member,
  );
  return { ...expression, members };
}
