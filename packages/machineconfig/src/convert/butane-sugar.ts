import {
  encodeDataUrl,
  located,
  memberOf,
  type ObjectNode,
  type ObjectShape,
  type SyntaxNode,
  shapes,
  withMember,
  withoutMembers,
} from '@slipway/ignition';
import { issueCode } from '../errors.ts';
import type { ConversionReport } from './conversion-report.ts';
import { localBytes, localText, type ReadLocalFile } from './local-file.ts';

/** What a translation of Butane goes by. */
export type ButaneContext = {
  readonly report: ConversionReport;
  readonly readLocal: ReadLocalFile | undefined;
  /** Minor version of the Ignition 3.x that the version stands for. */
  readonly minor: number;
};

/** Keys over those of Ignition, by the shape that has them and the minor version that brought them. */
export const sugarKeys: ReadonlyMap<ObjectShape, Readonly<Record<string, number>>> = new Map<
  ObjectShape,
  Readonly<Record<string, number>>
>([
  [shapes.contents, { inline: 0, local: 0 }],
  [shapes.unit, { contents_local: 4 }],
  [shapes.dropin, { contents_local: 4 }],
  [shapes.user, { ssh_authorized_keys_local: 4 }],
  [shapes.storage, { trees: 0 }],
]);

/** The object, its fields renamed already, with the keys of Butane made fields of Ignition. */
export function desugar(context: ButaneContext, node: ObjectNode, shape: ObjectShape): ObjectNode {
  switch (shape) {
    case shapes.contents:
      return embed(context, node);
    case shapes.unit:
    case shapes.dropin:
      return embedText(context, node);
    case shapes.user:
      return embedKeys(context, node);
    case shapes.storage:
      return dropTrees(context, node);
    default:
      return node;
  }
}

function embed(context: ButaneContext, node: ObjectNode): ObjectNode {
  const { report } = context;
  const given = ['source', 'inline', 'local'].flatMap((key) => {
    const value = memberOf(node, key);
    return value === undefined || value.kind === 'null' ? [] : [{ key, value }];
  });
  const plain = withoutMembers(node, ['inline', 'local']);
  const [first, second] = given;
  if (second !== undefined) {
    report.refuse(issueCode.convertConflict, second.value, {
      message: `contents come from one of source, inline and local, not from ${given.map(({ key }) => key).join(' and ')}`,
    });
    return plain;
  }
  if (first === undefined || first.key === 'source') return plain;
  const bytes =
    first.key === 'inline'
      ? inlineBytes(report, first.value)
      : localBytes(report, first.value, context.readLocal);
  if (bytes === undefined) return plain;
  const url: SyntaxNode = { ...located(first.value), kind: 'string', value: encodeDataUrl(bytes) };
  return withMember(plain, 'source', url);
}

function inlineBytes(report: ConversionReport, node: SyntaxNode): Uint8Array | undefined {
  if (node.kind === 'string') return new TextEncoder().encode(node.value);
  report.refuse(issueCode.wrongType, node, {
    message: `must be a text, not ${node.kind}`,
    hint: 'put the value in quotes',
  });
  return undefined;
}

function embedText({ report, readLocal }: ButaneContext, node: ObjectNode): ObjectNode {
  const local = memberOf(node, 'contents_local');
  const plain = withoutMembers(node, ['contents_local']);
  if (local === undefined || local.kind === 'null') return plain;
  const contents = memberOf(plain, 'contents');
  if (contents !== undefined && contents.kind !== 'null') {
    report.refuse(issueCode.convertConflict, local, {
      message: 'contents come from one of contents and contents_local, not from both',
    });
    return plain;
  }
  const text = localText(report, local, readLocal);
  if (text === undefined) return plain;
  return withMember(plain, 'contents', { ...located(local), kind: 'string', value: text });
}

/** Each file has one key per line; blank lines are none. */
function embedKeys({ report, readLocal }: ButaneContext, node: ObjectNode): ObjectNode {
  const local = memberOf(node, 'ssh_authorized_keys_local');
  const plain = withoutMembers(node, ['ssh_authorized_keys_local']);
  if (local === undefined || local.kind === 'null') return plain;
  if (local.kind !== 'array') {
    report.refuse(issueCode.wrongType, local, { message: `must be a list, not ${local.kind}` });
    return plain;
  }
  const read = local.items.flatMap((file) =>
    (localText(report, file, readLocal) ?? '')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line): SyntaxNode => ({ ...located(file), kind: 'string', value: line })),
  );
  const keys = memberOf(plain, 'sshAuthorizedKeys');
  const items = [...(keys?.kind === 'array' ? keys.items : []), ...read];
  return withMember(plain, 'sshAuthorizedKeys', {
    ...located(keys ?? local),
    kind: 'array',
    items,
  });
}

function dropTrees({ report }: ButaneContext, node: ObjectNode): ObjectNode {
  const trees = memberOf(node, 'trees');
  for (const tree of trees?.kind === 'array' ? trees.items : []) {
    report.dropped(tree, {
      message: 'trees has no counterpart: files are declared one by one',
      hint: 'declare each file with contents.local',
    });
  }
  return withoutMembers(node, ['trees']);
}
