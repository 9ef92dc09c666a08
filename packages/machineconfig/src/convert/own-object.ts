import { machineConfigurationApiVersion } from '@slipway/api';
import { located, memberOf, type ObjectNode, type SyntaxNode } from '@slipway/ignition';

/** An object of slipway's group, with the place of what it was converted from. */
export function ownObject(
  kind: string,
  root: SyntaxNode,
  { metadata, spec }: { readonly metadata: SyntaxNode; readonly spec: SyntaxNode },
): ObjectNode {
  const text = (value: string): SyntaxNode => ({ ...located(root), kind: 'string', value });
  return {
    ...located(root),
    kind: 'object',
    members: [
      { key: 'apiVersion', value: text(machineConfigurationApiVersion) },
      { key: 'kind', value: text(kind) },
      { key: 'metadata', value: metadata },
      { key: 'spec', value: spec },
    ],
  };
}

/** The spec of an object; an empty one where it has none. */
export function givenSpec(root: ObjectNode): SyntaxNode {
  const spec = memberOf(root, 'spec');
  const isGiven = spec !== undefined && spec.kind !== 'null';
  return isGiven ? spec : { ...located(root), kind: 'object', members: [] };
}
