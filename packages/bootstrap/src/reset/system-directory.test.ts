import assert from 'node:assert/strict';
import test from 'node:test';
import { isSystemDirectory } from './system-directory.ts';

const cases: readonly { readonly given: string; readonly want: boolean }[] = [
  { given: '/', want: true },
  { given: '//', want: true },
  { given: '/./', want: true },
  { given: '/etc', want: true },
  { given: '/var//lib/', want: true },
  { given: '/usr/bin', want: true },
  { given: '/home/anna', want: true },
  { given: '/etc/ssl', want: true },
  { given: '/lib/modules', want: true },
  { given: '/var/lib/etcd/../..', want: true },
  { given: 'var/lib/etcd', want: true },
  { given: '', want: true },
  { given: '/var/lib/etcd', want: false },
  { given: '/var/lib/etcd/', want: false },
  { given: '/etcd', want: false },
  { given: '/srv/etcd', want: false },
  { given: '/home/anna/etcd', want: false },
  { given: '/etc/kubernetes/pki', want: false },
  { given: '/etc/ssl/etcd', want: false },
];
for (const { given, want } of cases) {
  test(`system directory "${given}": ${want}`, () => assert.equal(isSystemDirectory(given), want));
}
