import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { emptyIgnitionConfig, type IgnitionConfig } from '@slipway/ignition';
import { type ConfigDiff, diffConfigs, type HostConfig, isEmptyDiff } from './config-diff.ts';
import { forceFilePath, reconcilable } from './reconcilable.ts';

function hostOf(
  ignition: Partial<IgnitionConfig>,
  kernelArguments: readonly string[] = [],
): HostConfig {
  return { ignition: { ...emptyIgnitionConfig, ...ignition }, kernelArguments };
}

const unit = (name: string, more: object = {}) => ({ name, dropins: [], ...more });
const data = (text: string) => ({ contents: { source: `data:,${text}` } });

function summary(diff: ConfigDiff): string {
  const files = diff.files.map(({ path, change, fields }) => `${change} ${path} ${fields.join()}`);
  const units = diff.units.map(({ name, change, fields, dropins }) => {
    const inner = dropins.map((dropin) => `${dropin.change} ${dropin.name}`).join();
    return `${change} ${name} ${fields.join()} ${inner}`;
  });
  const keys =
    diff.sshKeys === undefined ? [] : [`keys +${diff.sshKeys.added} -${diff.sshKeys.removed}`];
  const kernel =
    diff.kernelArguments === undefined
      ? []
      : [`kernel +${diff.kernelArguments.added} -${diff.kernelArguments.removed}`];
  return [...files, ...units, ...keys, ...kernel].map((line) => line.trim()).join('; ');
}

const path = '/etc/a';
type Row = { name: string; before: HostConfig; after: HostConfig; want: string };
const rows: readonly Row[] = [
  { name: 'nothing', before: hostOf({}), after: hostOf({}), want: '' },
  {
    name: 'file added',
    before: hostOf({}),
    after: hostOf({ files: [{ path }] }),
    want: 'added /etc/a',
  },
  {
    name: 'file removed',
    before: hostOf({ files: [{ path }] }),
    after: hostOf({}),
    want: 'removed /etc/a',
  },
  {
    name: 'contents, mode and owner',
    before: hostOf({ files: [{ path, ...data('a') }] }),
    after: hostOf({ files: [{ path, ...data('b'), mode: 0o600, user: { name: 'x' } }] }),
    want: 'changed /etc/a contents,mode,owner',
  },
  {
    name: 'what is spelled differently and means the same',
    before: hostOf({ files: [{ path, ...data('a%41'), user: { id: 0 } }] }),
    after: hostOf({
      files: [
        { path, contents: { source: 'data:;base64,YUE=' }, mode: 0o644, group: { name: 'root' } },
      ],
    }),
    want: '',
  },
  {
    name: 'order of files',
    before: hostOf({ files: [{ path: '/a' }, { path: '/b' }] }),
    after: hostOf({ files: [{ path: '/b' }, { path: '/a' }] }),
    want: '',
  },
  {
    name: 'units: enablement, mask, contents, drop-ins',
    before: hostOf({
      units: [unit('a.service', { dropins: [{ name: 'x.conf', contents: '1' }] })],
    }),
    after: hostOf({
      units: [
        unit('a.service', {
          enabled: true,
          mask: true,
          contents: '[Unit]',
          dropins: [{ name: 'y.conf', contents: '1' }],
        }),
      ],
    }),
    want: 'changed a.service contents,enabled,mask,dropins removed x.conf,added y.conf',
  },
  {
    name: 'SSH keys',
    before: hostOf({ sshAuthorizedKeys: ['a'] }),
    after: hostOf({ sshAuthorizedKeys: ['b'] }),
    want: 'keys +b -a',
  },
  {
    name: 'SSH keys managed but none is not the same as not managed',
    before: hostOf({}),
    after: hostOf({ sshAuthorizedKeys: [] }),
    want: 'keys + -',
  },
  {
    name: 'kernel arguments',
    before: hostOf({}, ['a']),
    after: hostOf({}, ['b', 'c']),
    want: 'kernel +b,c -a',
  },
  {
    name: 'order of kernel arguments',
    before: hostOf({}, ['a', 'b']),
    after: hostOf({}, ['b', 'a']),
    want: 'kernel + -',
  },
];

suite('differences of two configurations', () => {
  for (const { name, before, after, want } of rows)
    test(name, () => {
      const diff = diffConfigs(before, after);
      assert.equal(summary(diff), want);
      assert.equal(isEmptyDiff(diff), want === '');
      assert.equal(isEmptyDiff(diffConfigs(after, after)), true);
    });
});

test('kernel arguments can be changed only where the boot loader is known', () => {
  const diff = diffConfigs(hostOf({}), hostOf({}, ['quiet']));
  assert.deepEqual(reconcilable(diff, {}), []);
  const [issue] = reconcilable(diff, { kernelArgumentsRefusal: 'no boot loader was found' });
  assert.match(issue?.message ?? '', /no boot loader was found/);
});

test('the force file cannot come with a configuration', () => {
  const diff = diffConfigs(hostOf({}), hostOf({ files: [{ path: forceFilePath }] }));
  assert.equal(reconcilable(diff, {}).length, 1);
  const gone = diffConfigs(hostOf({ files: [{ path: forceFilePath }] }), hostOf({}));
  assert.deepEqual(reconcilable(gone, {}), [], 'a configuration that had it can be left');
});
