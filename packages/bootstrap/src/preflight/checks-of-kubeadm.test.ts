import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSimulatedHost } from '@slipway/host';
import { dirAvailable } from './check/dir-available.ts';
import { etcdCertificate } from './check/etcd-certificate.ts';
import { fileAvailable } from './check/file-available.ts';
import { kernelSetting } from './check/file-content.ts';
import { firewalld } from './check/firewalld.ts';
import { hostname } from './check/hostname.ts';
import { httpProxy } from './check/http-proxy.ts';
import { httpProxyCidr } from './check/http-proxy-cidr.ts';
import { isPrivilegedUser } from './check/is-privileged-user.ts';
import { kubeletVersion } from './check/kubelet-version.ts';
import { kubernetesVersionCheck } from './check/kubernetes-version.ts';
import { mem } from './check/mem.ts';
import { numCpu } from './check/num-cpu.ts';
import { portCheck } from './check/port.ts';
import { programExisting } from './check/program-existing.ts';
import { serviceKubelet } from './check/service-kubelet.ts';
import { swap } from './check/swap.ts';
import type { Check } from './check.ts';
import { findingsOf, found, type HostDescription } from './testing/described-host.ts';

const forward = '/proc/sys/net/ipv4/ip_forward';
const proxied = { HTTPS_PROXY: 'http://joe:secret@proxy:3128' };

type Case = {
  readonly name: string;
  readonly check: Check;
  readonly given?: HostDescription;
  /** Level and a word of the message; empty: nothing is found. */
  readonly want: readonly RegExp[];
};

const cases: readonly Case[] = [
  { name: 'root', check: isPrivilegedUser, want: [] },
  {
    name: 'a user',
    check: isPrivilegedUser,
    given: { machine: { userId: 1000 } },
    want: [/^error: .*root/],
  },
  { name: 'two processors', check: numCpu, want: [] },
  {
    name: 'one processor',
    check: numCpu,
    given: { machine: { processors: 1 } },
    want: [/^error: .*2 processors.*has 1/],
  },
  {
    name: '1700 MB',
    check: mem,
    given: { machine: { memoryBytes: 1700 * 1024 ** 2 } },
    want: [],
  },
  {
    name: 'a byte less',
    check: mem,
    given: { machine: { memoryBytes: 1700 * 1024 ** 2 - 1 } },
    want: [/^error: .*1700 MB.*1699 MB/],
  },
  { name: 'a known version', check: kubernetesVersionCheck('v1.37.9'), want: [] },
  { name: 'an old version', check: kubernetesVersionCheck('v1.30.0'), want: [] },
  {
    name: 'the pre-release of the next minor',
    check: kubernetesVersionCheck('v1.38.0-alpha.0'),
    want: [/^warning: .*newer than v1\.37/],
  },
  { name: 'no version', check: kubernetesVersionCheck('latest'), want: [/^error: "latest"/] },
  { name: 'a free port', check: portCheck(6443), want: [] },
  {
    name: 'a port in use',
    check: portCheck(6443),
    given: { machine: { portsInUse: [6443] } },
    want: [/^error: port 6443 is in use/],
  },
  {
    name: 'a port at a foreign address',
    check: portCheck(2379, '192.0.2.1'),
    want: [/^error: port 2379 .*192\.0\.2\.1: no interface/],
  },
  { name: 'no file', check: fileAvailable('/etc/x.conf'), want: [] },
  {
    name: 'a file in the way',
    check: fileAvailable('/etc/x.conf'),
    given: { files: { '/etc/x.conf': '' } },
    want: [/^error: \/etc\/x\.conf exists/],
  },
  { name: 'no directory', check: dirAvailable('/var/lib/etcd'), want: [] },
  {
    name: 'a directory with something in it',
    check: dirAvailable('/var/lib/etcd'),
    given: { files: { '/var/lib/etcd/member/wal': '' } },
    want: [/^error: \/var\/lib\/etcd is not empty/],
  },
  {
    name: 'a file for a directory',
    check: dirAvailable('/var/lib/etcd'),
    given: { files: { '/var/lib/etcd': '' } },
    want: [/^error: \/var\/lib\/etcd is not a directory/],
  },
  {
    name: 'certificate of etcd',
    check: etcdCertificate('caFile', '/etc/etcd/ca.crt'),
    given: { files: { '/etc/etcd/ca.crt': '' } },
    want: [],
  },
  {
    name: 'no certificate of etcd',
    check: etcdCertificate('caFile', '/etc/etcd/ca.crt'),
    want: [/^error: \/etc\/etcd\/ca\.crt does not exist/],
  },
  {
    name: 'a program',
    check: programExisting('mount', 'util-linux'),
    given: { machine: { programs: { mount: '/bin/mount' } } },
    want: [],
  },
  {
    name: 'no such program',
    check: programExisting('mount', 'util-linux'),
    want: [/^error: mount is not in the PATH/],
  },
  {
    name: 'forwarding',
    check: kernelSetting(forward),
    given: { machine: { kernelFiles: { [forward]: '1\n' } } },
    want: [],
  },
  {
    name: 'no forwarding',
    check: kernelSetting(forward),
    given: { machine: { kernelFiles: { [forward]: '0\n' } } },
    want: [/^error: \S+ip_forward is not 1/],
  },
  {
    name: 'a kernel without the family',
    check: kernelSetting(forward),
    want: [/^error: \S+ip_forward does not exist/],
  },
  { name: 'no proxy', check: httpProxy('10.20.0.11', 6443), want: [] },
  {
    name: 'a proxy, whose password stays secret',
    check: httpProxy('10.20.0.11', 6443),
    given: { variables: proxied },
    want: [/^warning: .*http:\/\/\*\*\*@proxy:3128$/],
  },
  {
    name: 'a proxy with an exception',
    check: httpProxy('10.20.0.11', 6443),
    given: { variables: { ...proxied, NO_PROXY: 'x.example, 10.20.0.0/16' } },
    want: [],
  },
  { name: 'no pods', check: httpProxyCidr(''), given: { variables: proxied }, want: [] },
  {
    name: 'services through a proxy',
    check: httpProxyCidr('10.96.0.0/12'),
    given: { variables: proxied },
    want: [/^warning: .*10\.96\.0\.0\/12/],
  },
  { name: 'no range', check: httpProxyCidr('10.96.0.0'), want: [/^error: /] },
  { name: 'a kernel that cannot swap', check: swap, want: [] },
  {
    name: 'no swap',
    check: swap,
    given: { machine: { kernelFiles: { '/proc/swaps': 'Filename\tType\tSize\n' } } },
    want: [],
  },
  {
    name: 'swap',
    check: swap,
    given: { machine: { kernelFiles: { '/proc/swaps': 'Filename\tType\n/dev/sda2 partition\n' } } },
    want: [/^warning: .*\/dev\/sda2/],
  },
  {
    name: 'a name that resolves',
    check: hostname('cp1'),
    given: { machine: { names: { cp1: ['10.20.0.11'] } } },
    want: [],
  },
  {
    name: 'a bad name that does not resolve',
    check: hostname('cp 1'),
    want: [/^warning: "cp 1" is no name/, /^warning: .*does not resolve/],
  },
  {
    name: 'a kubelet like the control plane',
    check: kubeletVersion('v1.36.1'),
    given: { kubelet: 'v1.36.9' },
    want: [],
  },
  {
    name: 'a kubelet three minors older',
    check: kubeletVersion('v1.36.1'),
    given: { kubelet: 'v1.33.0' },
    want: [],
  },
  {
    name: 'a kubelet four minors older',
    check: kubeletVersion('v1.36.1'),
    given: { kubelet: 'v1.32.9' },
    want: [/^error: kubelet v1\.32 is too old: v1\.33/],
  },
  {
    name: 'a newer kubelet',
    check: kubeletVersion('v1.36.1'),
    given: { kubelet: 'v1.37.0' },
    want: [/^error: kubelet v1\.37 is newer/],
  },
  {
    name: 'a kubelet whose cluster is not known yet',
    check: kubeletVersion(),
    given: { kubelet: 'v1.31.0' },
    want: [],
  },
  {
    name: 'no kubelet',
    check: kubeletVersion('v1.36.1'),
    given: { kubelet: null },
    want: [/^error: the version of the kubelet is not known: .*ENOENT/],
  },
  {
    name: 'a kubelet that may not be run',
    check: kubeletVersion('v1.36.1'),
    want: [/^warning: not checked: /],
  },
  { name: 'units that may not be asked', check: serviceKubelet, want: [/^warning: not checked/] },
  { name: 'no units, no firewalld', check: firewalld([6443]), want: [] },
];

describe('a check of kubeadm', () => {
  for (const { name, check, given = {}, want } of cases) {
    test(`${check.name}: ${name}`, async () => {
      const findings = await found(check, given);
      assert.equal(findings.length, want.length, findings.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(findings[index] ?? '', pattern);
    });
  }

  for (const { state, want } of [
    { state: 'enabled-runtime', want: /^$/ },
    { state: 'static', want: /^$/ },
    { state: 'indirect', want: /^$/ },
    { state: 'generated', want: /^$/ },
    { state: 'linked', want: /systemctl enable kubelet\.service$/ },
    { state: '', want: /systemctl enable kubelet\.service$/ },
    { state: 'masked', want: /^systemctl unmask kubelet\.service && systemctl enable/ },
  ]) {
    test(`Service-kubelet: a unit that is ${state || 'nothing'}`, async () => {
      const status = async () => ({
        ...{ loadState: 'loaded', activeState: 'inactive', subState: 'dead', invocationId: '' },
        ...{ needDaemonReload: false, canReload: false, unitFileState: state },
      });
      const unchanged = async () => undefined;
      const verbs = { daemonReload: unchanged, enable: unchanged, disable: unchanged };
      const changes = { mask: unchanged, unmask: unchanged, preset: unchanged, start: unchanged };
      const runs = { stop: unchanged, restart: unchanged, reload: unchanged };
      const systemd = { ...verbs, ...changes, ...runs, status };
      const [finding] = await findingsOf(serviceKubelet, { systemd });
      assert.match(finding?.fix ?? '', want);
    });
  }

  test('units: absent, disabled, enabled; firewalld runs', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-units-'));
    try {
      const host = await createSimulatedHost({ directory, name: 'cp1', onReboot: () => undefined });
      await host.powerOn();
      const { systemd, files } = host;
      const unit = async (name: string) => {
        const text =
          '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';
        const attributes = { mode: 0o644, uid: 0, gid: 0 };
        await files.write(`/etc/systemd/system/${name}`, Buffer.from(text), attributes);
        await systemd.daemonReload();
      };
      // The model's machine has an enabled kubelet.
      assert.deepEqual(await found(serviceKubelet, { systemd }), []);
      await systemd.disable('kubelet.service');
      assert.match((await found(serviceKubelet, { systemd }))[0] ?? '', /^warning: .*not enabled/);
      const other = { ...systemd, status: () => systemd.status('no-such.service') };
      assert.match(
        (await found(serviceKubelet, { systemd: other }))[0] ?? '',
        /^warning: there is/,
      );
      assert.deepEqual(await found(firewalld([6443, 10_250]), { systemd }), []);
      await unit('firewalld.service');
      await systemd.start('firewalld.service');
      const [finding = ''] = await found(firewalld([6443, 10_250]), { systemd });
      assert.match(finding, /^warning: firewalld is active; ports 6443 and 10250/);
      await host.powerOff();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
