import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dirAvailable } from './check/dir-available.ts';
import { etcdCertificate } from './check/etcd-certificate.ts';
import { fileAvailable } from './check/file-available.ts';
import type { Check } from './check.ts';
import { found, type HostDescription } from './testing/described-host.ts';

const etcd = '/var/lib/etcd';
const kubeconfig = '/etc/kubernetes/kubelet.conf';
const certificate = '/etc/etcd/ca.crt';

const cases: readonly {
  readonly name: string;
  readonly check: Check;
  readonly given: HostDescription;
  readonly want: readonly RegExp[];
}[] = [
  {
    name: 'a link to an empty directory on another disk',
    check: dirAvailable(etcd),
    given: { directories: ['/disk/etcd'], links: { [etcd]: '/disk/etcd' } },
    want: [],
  },
  {
    name: 'a link to a directory with something in it',
    check: dirAvailable(etcd),
    given: { files: { '/disk/etcd/member': '' }, links: { [etcd]: '/disk/etcd' } },
    want: [/^error: \/var\/lib\/etcd is not empty/],
  },
  {
    name: 'a link to a file',
    check: dirAvailable(etcd),
    given: { files: { '/disk/etcd': '' }, links: { [etcd]: '/disk/etcd' } },
    want: [/^error: \/var\/lib\/etcd is not a directory/],
  },
  {
    name: 'a link that leads nowhere',
    check: fileAvailable(kubeconfig),
    given: { links: { [kubeconfig]: '/gone' } },
    want: [],
  },
  {
    name: 'a link to a file',
    check: fileAvailable(kubeconfig),
    given: { files: { '/there': '' }, links: { [kubeconfig]: '/there' } },
    want: [/^error: .*exists already/],
  },
  {
    name: 'a link to a certificate',
    check: etcdCertificate('caFile', certificate),
    given: { files: { '/vault/ca.crt': '' }, links: { [certificate]: '/vault/ca.crt' } },
    want: [],
  },
  {
    name: 'a link to a certificate that is gone',
    check: etcdCertificate('caFile', certificate),
    given: { links: { [certificate]: '/vault/ca.crt' } },
    want: [/^error: \/etc\/etcd\/ca\.crt does not exist/],
  },
];

describe('a path behind a symlink', () => {
  for (const { name, check, given, want } of cases) {
    test(`${check.name}: ${name}`, async () => {
      const findings = await found(check, given);
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }
});
