import { parse, parseDocument } from 'yaml';
import type { Pieces } from './recording.ts';
import { blanked } from './tree-pieces.ts';

type KubeObject = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string | null>>;
};

/**
 * The objects that a dry run would write, by kind, namespace and name: what kubeadm and slipway print,
 * each in its own words. Nodes are left out: kubeadm prints them as they were before its patch.
 */
export function dryRunPieces(stdout: string, configuration: string): Pieces {
  return Object.fromEntries(
    printedObjects(stdout)
      .filter(({ kind }) => kind !== 'Node')
      .map((object) => objectPiece(object, configuration)),
  );
}

const kubeadmAction = /^\[dryrun\] Would perform action (\S+) on resource/;
const slipwayWrite = /^\[dryrun\] would (?:create|update) \S+ \S+:$/;

function printedObjects(stdout: string): readonly KubeObject[] {
  const objects: KubeObject[] = [];
  let verb = '';
  let lines: string[] | undefined;
  for (const line of [...stdout.split('\n'), '[end]']) {
    if (lines !== undefined && goesOn(lines, line)) {
      lines.push(line);
      continue;
    }
    if (lines !== undefined && verb !== 'GET' && verb !== 'LIST')
      objects.push(parse(lines.join('\n')) as KubeObject);
    verb = kubeadmAction.exec(line)?.[1] ?? verb;
    const isHeading = line === '[dryrun] Attached object:' || slipwayWrite.test(line);
    lines = isHeading ? [] : undefined;
  }
  return objects;
}

/** An empty line ends an object, unless the object is not complete yet: it has no name so far. */
function goesOn(lines: readonly string[], line: string): boolean {
  if (line !== '') return !/^\[[a-z-]+\]/.test(line);
  const value = parseDocument(lines.join('\n')).toJS() as Partial<KubeObject> | null;
  return value?.metadata?.name === undefined;
}

function objectPiece(object: KubeObject, configuration: string): readonly [string, unknown] {
  const { kind, metadata } = object;
  const name = withoutChance(metadata.name, configuration);
  return [
    ['object', kind, metadata.namespace, name].filter(Boolean).join('/'),
    {
      ...object,
      metadata: { ...(blankedOwner(metadata, configuration) as object), name },
      ...(object.data === undefined ? {} : { data: readable(object, configuration) }),
    },
  ];
}

/** Tokens that nobody gave are drawn by lot. */
function withoutChance(name: string, configuration: string): string {
  const id = /^bootstrap-token-(\S+)$/.exec(name)?.[1];
  return id === undefined || configuration.includes(`${id}.`) ? name : 'bootstrap-token-<random>';
}

function blankedOwner(metadata: KubeObject['metadata'], configuration: string): unknown {
  const owners = (metadata as { ownerReferences?: { name: string }[] }).ownerReferences;
  if (owners === undefined) return metadata;
  return {
    ...metadata,
    ownerReferences: owners.map((owner) => ({
      ...owner,
      name: withoutChance(owner.name, configuration),
    })),
  };
}

function readable({ kind, data, metadata }: KubeObject, configuration: string): unknown {
  const entries = Object.entries(data ?? {});
  if (kind !== 'Secret')
    return Object.fromEntries(entries.map(([key, text]) => [key, yamlInside(key, text)]));
  const isChance = withoutChance(metadata.name, configuration) !== metadata.name;
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (value === null || value === '***' || key === 'token-secret') return [key, '***'];
      const text = Buffer.from(value, 'base64').toString();
      if (key === 'expiration') return [key, minutesUntil(text)];
      return [key, isChance && key === 'token-id' ? '<random>' : text];
    }),
  );
}

/** A Corefile is text; the rest is YAML and is compared as data. */
function yamlInside(key: string, text: string | null): unknown {
  if (key === 'Corefile' || text === null) return text;
  const value: unknown = parse(text);
  return typeof value === 'object' ? blanked(value) : text;
}

function minutesUntil(date: string): string {
  return `in ${Math.round((Date.parse(date) - Date.now()) / 60_000)} minutes`;
}
