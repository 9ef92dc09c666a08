import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@slipway/base';
import {
  type IgnitionSource,
  mergeIgnition,
  originOf,
  readIgnition,
  treeFromJson,
} from './index.ts';

function source(label: string, sections: JsonObject): IgnitionSource {
  const document = { ignition: { version: '3.4.0' }, ...sections };
  const { config, issues } = readIgnition(treeFromJson(document));
  assert.ok(config, JSON.stringify(issues));
  return { label, config };
}

function files(...entries: JsonObject[]): JsonObject {
  return { storage: { files: entries } };
}

const unit = { name: 'a.service', contents: '[Service]\nExecStart=/bin/true\n' };

test('contents and owners are replaced as a unit', () => {
  const { config } = mergeIgnition([
    source(
      'base',
      files({
        path: '/etc/a',
        mode: 0o600,
        user: { id: 7 },
        contents: {
          source: 'data:,1',
          verification: {
            hash: 'sha256-6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
          },
        },
      }),
    ),
    source(
      'top',
      files({ path: '/etc/a', user: { name: 'root' }, contents: { source: 'data:,2' } }),
    ),
  ]);
  assert.deepEqual(config?.files, [
    { path: '/etc/a', mode: 0o600, user: { name: 'root' }, contents: { source: 'data:,2' } },
  ]);
});

test('overrides name both sides by keys and by their own paths', () => {
  const { overrides, provenance } = mergeIgnition([
    source('00-base', files({ path: '/etc/a', mode: 0o600 }, { path: '/etc/b' })),
    source('50-same', files({ path: '/etc/a', mode: 0o600 })),
    source('99-top', { ...files({ path: '/etc/b' }, { path: '/etc/a', mode: 0o644 }) }),
  ]);
  assert.deepEqual(overrides, [
    {
      keyPath: 'storage.files["/etc/a"].mode',
      winner: { source: '99-top', path: 'storage.files[1].mode' },
      overridden: { source: '50-same', path: 'storage.files[0].mode' },
    },
  ]);
  assert.deepEqual(originOf(provenance, 'storage.files[0].mode'), {
    source: '99-top',
    path: 'storage.files[1].mode',
  });
});

test('a conflict between sources is found in the result and blamed', () => {
  const { config, issues } = mergeIgnition(
    [
      source('00-units', { systemd: { units: [unit] } }),
      source('99-file', files({ path: '/etc/systemd/system/a.service' })),
    ],
    { prefix: 'spec.config' },
  );
  assert.equal(config, undefined);
  assert.equal(issues[0]?.code, 'ignition.path-conflicts-unit');
  assert.equal(issues[0]?.path, 'spec.config.storage.files[0].path');
  assert.deepEqual(issues[0]?.origin, { source: '99-file', path: 'storage.files[0].path' });
});

test('a file of one source below a file of another is found in the result', () => {
  const { issues } = mergeIgnition([
    source('00', files({ path: '/etc/a' })),
    source('99', files({ path: '/etc/a/b' })),
  ]);
  assert.equal(issues[0]?.code, 'ignition.path-under-file');
  assert.equal(issues[0]?.origin?.source, '99');
});

test('keys of all sources are joined, and mentioning the user without keys keeps them', () => {
  const key = (name: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR ${name}`;
  const boot = (...names: string[]) => ({
    passwd: { users: [{ name: 'boot', sshAuthorizedKeys: names.map(key) }] },
  });
  const { config } = mergeIgnition([
    source('a', boot('one', 'two')),
    source('b', boot('two', 'three')),
    source('c', { passwd: { users: [{ name: 'boot' }] } }),
  ]);
  assert.deepEqual(config?.sshAuthorizedKeys, ['one', 'two', 'three'].map(key));
});

test('many sources with many files merge in linear time', () => {
  const sources = Array.from({ length: 200 }, (_, outer) => ({
    label: `${outer}`,
    config: {
      version: '3.4.0' as const,
      files: Array.from({ length: 20 }, (_value, inner) => ({ path: `/etc/${outer}-${inner}` })),
      units: [],
    },
  }));
  assert.equal(mergeIgnition(sources).config?.files.length, 4000);
});
