import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Issue, JsonObject, JsonValue } from '@slipway/base';
import {
  authorizedKeysText,
  fileGroup,
  fileMode,
  fileUser,
  type IgnitionContents,
  liftIgnition,
  mergeIgnitionDocuments,
  parse,
  parseDataUrl,
  parseUnitFile,
  readIgnition,
  treeFromJson,
  tryDecodeContents,
  unitPath,
} from './index.ts';

/** The conformance cases that this system is specified by; `meta.fields` in the file explains the members. */
type Case = {
  readonly id: string;
  readonly op: 'parse' | 'parse-compat' | 'merge' | 'dataurl' | 'decode' | 'unit' | 'apply';
  readonly inputKind: 'json' | 'text' | 'pieces';
  readonly input: JsonValue;
  readonly expect: string;
  readonly ours?: string;
  readonly oursWarning?: string;
  readonly expectAsSource?: string;
  readonly media?: string;
  readonly result?: JsonValue;
  readonly report?: readonly { severity: string; kind: string; path: string; line?: number }[];
};

const file = new URL('../testdata/cases.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] };

/** Where the specification decides otherwise than the case file, whose `ours` is a proposal. */
const decidedBySpec: Readonly<Record<string, { why: string; want?: string; result?: JsonValue }>> =
  {
    'json.user-alias': { why: '`user` is an alias of `name`, with a warning', want: 'ok' },
    'kargs.prefix': {
      why: 'the section is refused with a pointer to spec.kernelArguments',
      want: 'unsupported-field',
    },
    'merge.file-hash-leak': {
      why: '`contents` is replaced as a unit',
      result: withFile({ path: '/a', contents: { source: 'data:,2' } }),
    },
    'merge.file-owner': {
      why: '`user` is replaced as a unit',
      result: withFile({ path: '/a', user: { name: 'root' } }),
    },
    'merge.subtrees': {
      why: '`contents` is replaced as a unit',
      result: withFile(
        { path: '/a', mode: 420, contents: { source: 'data:' } },
        { path: '/b', mode: 420, contents: { source: 'data:' } },
        { path: '/c', contents: { compression: 'gzip' } },
      ),
    },
  };

function withFile(...files: JsonObject[]): JsonValue {
  return { ignition: { version: '3.4.0' }, storage: { files } };
}

function textOf({ inputKind, input }: Case): string {
  if (inputKind === 'pieces') {
    return (input as [string, number][]).map(([text, count]) => text.repeat(count)).join('');
  }
  return input as string;
}

function kindsOf(issues: readonly Issue[], severity: string): string[] {
  return issues
    .filter((issue) => issue.severity === severity)
    .map((issue) => issue.code.replace('ignition.', ''));
}

/**
 * Cases whose error is found, but not as the first: every finding is reported, and one that this room
 * adds (a section or key that it does not support) comes before it in the text.
 */
const notFirst = new Set([
  'dup.kargs-cross',
  'header.dup',
  'header.dup-case',
  'header.empty-name',
  'header.empty-value',
  'header.missing-name',
  'header.ok',
  'header.s3-scheme',
  'kargs.empty-string',
  'version.old-key',
  // A line that is no section header is told as text before a section, or as a wrong section name, too.
  'unitfile.double-bracket',
  'unitfile.preamble-bracket',
]);

function expectKind(given: Case, errors: readonly string[]): void {
  const want = decidedBySpec[given.id]?.want ?? given.ours ?? given.expect;
  if (want === 'ok') assert.deepEqual(errors, []);
  else if (notFirst.has(given.id)) {
    assert.ok(errors.includes(want), `want ${want}, got ${errors.join(', ') || 'ok'}`);
    assert.notEqual(errors[0], want, 'first after all: take it off the list');
  } else assert.equal(errors[0], want, `got ${errors.join(', ') || 'ok'}`);
}

function issuesOf(given: Case): readonly Issue[] {
  if (given.inputKind === 'json') return readIgnition(treeFromJson(given.input)).issues;
  const parsed = parse(textOf(given), { format: 'json' });
  const [tree] = parsed.documents;
  return tree === undefined ? parsed.issues : readIgnition(tree).issues;
}

/** The reports of upstream name paths as `a.0.b`; ours as `a[0].b`. */
function upstreamPath(path: string): string {
  return path.replaceAll(/\[(\d+)\]/g, '.$1');
}

/** Upstream reports syntax and type errors at the root, and places within sections that are refused here. */
function checkReport(given: Case, issues: readonly Issue[]): void {
  for (const { kind, path, line } of given.report ?? []) {
    const found = issues.filter((issue) => issue.code === `ignition.${kind}`);
    if (found.length === 0 || kind.startsWith('json-')) continue;
    const match = found.find((issue) => upstreamPath(issue.path) === path);
    assert.ok(match, `${kind} is reported at ${found.map((issue) => issue.path).join(', ')}`);
    if (line !== undefined) assert.equal(match.line, line);
  }
}

/** Upstream writes an absent version as an empty text; members without content say nothing. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutEmpty(member)] as const)
    .filter(([key, member]) => !(key === 'version' && member === ''))
    .filter(([, member]) => !(typeof member === 'object' && member && isEmpty(member)));
  return Object.fromEntries(members);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

const runners: Readonly<Record<Case['op'], (given: Case) => void>> = {
  parse(given) {
    const issues = issuesOf(given);
    expectKind(given, kindsOf(issues, 'error'));
    checkReport(given, issues);
    if (given.oursWarning) assert.ok(kindsOf(issues, 'warning').includes(given.oursWarning));
  },
  'parse-compat'(given) {
    const tree =
      given.inputKind === 'json'
        ? treeFromJson(given.input)
        : parse(textOf(given), { format: 'json' }).documents[0];
    assert.ok(tree);
    const lifted = liftIgnition(tree);
    expectKind(given, kindsOf(lifted.issues, 'error'));
    if (given.result) assert.deepEqual(withoutEmpty(lifted.document ?? null), given.result);
  },
  merge(given) {
    const { parent, child } = given.input as { parent: JsonObject; child: JsonObject };
    const { document } = mergeIgnitionDocuments([
      { label: 'parent', document: parent },
      { label: 'child', document: child },
    ]);
    const want = decidedBySpec[given.id]?.result ?? given.result ?? {};
    assert.deepEqual(withoutEmpty(document), withoutEmpty(want));
    if (given.ours && given.ours !== 'policy') {
      expectKind(given, kindsOf(readIgnition(treeFromJson(document)).issues, 'error'));
    }
  },
  dataurl(given) {
    const url = parseDataUrl(textOf(given));
    expectKind(given, url.ok ? [] : [url.fault]);
    if (given.media) assert.equal(url.ok && url.mediaType, given.media);
    if (url.ok) assert.equal(Buffer.from(url.bytes).toString('base64'), given.result);
    const contents = { source: textOf(given) };
    const config = { ...(withFile({ path: '/etc/a', contents }) as JsonObject) };
    const errors = kindsOf(readIgnition(treeFromJson(config)).issues, 'error');
    const want = given.expectAsSource ?? given.expect;
    if (want === 'ok') assert.deepEqual(errors, []);
    else assert.ok(errors.includes(want), `as a source: want ${want}, got ${errors.join(', ')}`);
  },
  decode(given) {
    const result = tryDecodeContents(given.input as IgnitionContents);
    expectKind(given, result.ok ? [] : [result.code]);
    if (result.ok) assert.equal(Buffer.from(result.bytes).toString('base64'), given.result);
  },
  unit(given) {
    const { options, faults } = parseUnitFile(textOf(given));
    const errors = faults
      .map(({ name }) => name)
      .filter((name) => name !== 'unit-comment-backslash');
    expectKind(given, errors);
    if (given.result && errors.length === 0) {
      assert.deepEqual(
        options.map(({ section, name, value }) => [section, name, value]),
        given.result,
      );
    }
  },
  apply: runApply,
};

/**
 * What a config does to a host is the daemon's business, which has its own tests; here only what the typed
 * model says about it: paths, modes, owners, texts, and that the entries are acceptable.
 */
function runApply(given: Case): void {
  const result = given.result as Record<string, never>;
  if (given.id.startsWith('apply.file.')) {
    const { config } = readIgnition(treeFromJson(withFile(given.input as JsonObject)));
    const [read] = config?.files ?? [];
    assert.ok(read);
    if (given.id !== 'apply.file.defaults') return;
    assert.equal(fileMode(read), Number.parseInt(result['mode'] ?? '', 8));
    assert.deepEqual(fileUser(read), { id: result['uid'] });
    assert.deepEqual(fileGroup(read), { id: result['gid'] });
    return;
  }
  if (given.id.startsWith('apply.keys.')) {
    const { sshAuthorizedKeys } = given.input as { sshAuthorizedKeys: string[] };
    const config = { version: '3.4.0', files: [], units: [], sshAuthorizedKeys } as const;
    assert.deepEqual(result['files'], {
      '<home>/.ssh/authorized_keys': authorizedKeysText(config),
    });
    return;
  }
  if (given.id === 'apply.unit.mask') {
    const { name } = given.input as { name: string };
    assert.deepEqual(result['links'], { [unitPath(name)]: '/dev/null' });
  }
}

describe('conformance cases', () => {
  test('all 374 are there', () => assert.equal(cases.length, 374));
  for (const given of cases) {
    const why = decidedBySpec[given.id]?.why;
    test(`${given.op} ${given.id}${why === undefined ? '' : ` (spec: ${why})`}`, () => {
      runners[given.op](given);
    });
  }
});
