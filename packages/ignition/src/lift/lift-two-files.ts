import type { Findings, Placed } from '../findings.ts';
import { shown } from '../path-rules.ts';
import type { ObjectNode, SyntaxNode } from '../syntax-tree.ts';
import { located, memberOf, withMember, withoutMembers } from './edit-node.ts';
import { originOfNode } from './mark-origins.ts';

const rootFilesystem = 'root';

/** Converts the files of a 2.x config; those that nothing can be made of are reported and left out. */
export function liftFiles(findings: Findings, entries: readonly Placed[]): SyntaxNode[] {
  const files = new Map<string, ObjectNode>();
  const others: SyntaxNode[] = [];
  for (const entry of entries) {
    const path = memberOf(entry.node, 'path');
    if (entry.node.kind !== 'object' || path?.kind !== 'string') {
      // Validation says what is wrong with it.
      others.push(entry.node);
      continue;
    }
    const file = { ...entry, node: entry.node };
    if (!isOnRoot(findings, file)) continue;
    const earlier = files.get(path.value);
    const lifted = isAppended(file.node)
      ? appendTo(findings, earlier, file)
      : liftFile(findings, file, earlier !== undefined);
    if (lifted !== undefined) files.set(path.value, lifted);
  }
  return [...files.values(), ...others];
}

function isOnRoot(findings: Findings, file: Placed): boolean {
  const filesystem = memberOf(file.node, 'filesystem');
  if (filesystem === undefined || filesystem.kind === 'null') return true;
  if (filesystem.kind === 'string' && filesystem.value === rootFilesystem) return true;
  const name = filesystem.kind === 'string' ? shown(filesystem.value) : 'something else';
  findings.add('lift-no-counterpart', originOfNode(file), {
    message: `the file is left out: it is on file system ${name}, and only root is there when hosts run`,
    hint: 'give the file the path that it has on the running host, and file system root',
  });
  return false;
}

function isAppended(file: ObjectNode): boolean {
  const append = memberOf(file, 'append');
  return append?.kind === 'boolean' && append.value;
}

/** In 3.x what is appended is part of the entry that declares the file. */
function appendTo(
  findings: Findings,
  earlier: ObjectNode | undefined,
  file: Placed<ObjectNode>,
): ObjectNode | undefined {
  if (earlier === undefined) {
    findings.add('lift-no-counterpart', originOfNode(file), {
      message: 'the file is left out: it appends to a file of the host that no entry declares',
      hint: 'declare the file as a whole',
    });
    return undefined;
  }
  const contents = memberOf(file.node, 'contents');
  if (contents === undefined) return earlier;
  const before = memberOf(earlier, 'append');
  const items = [...(before?.kind === 'array' ? before.items : []), contents];
  const append: SyntaxNode = { ...located(contents), kind: 'array', items };
  return withMember(earlier, 'append', append);
}

function liftFile(findings: Findings, file: Placed<ObjectNode>, isAgain: boolean): ObjectNode {
  if (isAgain) {
    findings.add('lift-duplicate', originOfNode(file), {
      message: 'the path was declared before; this later entry is kept, as readers of 2.x do',
    });
  }
  if (memberOf(file.node, 'mode') === undefined) {
    findings.add('lift-mode-unset', originOfNode(file), {
      message: 'the file has no mode: Ignition 2.x gives 0000, and 3.x 0644',
    });
  }
  return withContents(withoutMembers(file.node, ['filesystem', 'append']));
}

/** A 2.x file replaces what is there unless it says otherwise, and without a source it is empty. */
function withContents(file: ObjectNode): ObjectNode {
  const contents = memberOf(file, 'contents') ?? { ...located(file), kind: 'object', members: [] };
  if (contents.kind !== 'object') return file;
  const source = memberOf(contents, 'source');
  const hasSource = source !== undefined && source.kind !== 'null';
  const empty: SyntaxNode = { ...located(contents), kind: 'string', value: '' };
  const complete = hasSource ? contents : withMember(contents, 'source', empty);
  const whole = withMember(file, 'contents', complete);
  const overwrite = memberOf(whole, 'overwrite');
  if (overwrite !== undefined && overwrite.kind !== 'null') return whole;
  return withMember(whole, 'overwrite', { ...located(file), kind: 'boolean', value: true });
}
