import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { isolation } from '../kit/isolated-machine.ts';
import {
  kubeProgram,
  kubernetesVersion,
  withoutKubePrograms,
  withoutNamespaces,
} from '../kit/kube-binaries.ts';
import { runProgram } from '../kit/run-program.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';

const skip = withoutNamespaces() || withoutKubePrograms(['kubeadm']);

/** Slipway's own checks, which kubeadm does not have. */
const own = [
  'CgroupDriver',
  'ClockSkew',
  'HostnameCase',
  'IgnoredCheckNames',
  'KubeletFlags',
  'NodeAddress',
  'SandboxImage',
  'ServiceSubnet',
  'SwapConfiguration',
];

const kubelet = (version: string) =>
  `printf '#!/bin/sh\\necho Kubernetes ${version}\\n' > /usr/local/bin/kubelet\nchmod 755 /usr/local/bin/kubelet\n`;

const states = [
  { name: 'nothing installed', prepare: '' },
  { name: 'a kubelet of the same version', prepare: kubelet(kubernetesVersion) },
  { name: 'a kubelet that is too old', prepare: kubelet('v1.33.9') },
  { name: 'a kubelet that is too new', prepare: kubelet('v1.99.0') },
  {
    name: 'what an earlier init left',
    prepare: `${kubelet(kubernetesVersion)}
mkdir -p /var/lib/etcd/member
touch /etc/kubernetes/manifests/etcd.yaml /etc/kubernetes/manifests/kube-scheduler.yaml
`,
  },
  {
    name: 'forwarding and the address of the node',
    prepare: `${kubelet(kubernetesVersion)}
echo 1 > /proc/sys/net/ipv4/ip_forward || true
ip addr add 10.20.0.11/32 dev lo
`,
  },
  {
    name: 'a proxy',
    prepare: `${kubelet(kubernetesVersion)}
export HTTPS_PROXY=http://proxy.invalid:3128 NO_PROXY=10.96.0.0/12
`,
  },
];

suite('preflight of kubeadm and of slipway on one machine', { skip, timeout: 120_000 }, () => {
  let folder = '';
  let config = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-preflight-'));
    config = join(folder, 'kubeadm.yaml');
    writeFileSync(
      config,
      `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 10.20.0.11
nodeRegistration:
  name: cp1
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: ${kubernetesVersion}
networking:
  podSubnet: 10.244.0.0/16
`,
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function findings(prepare: string, argv: readonly string[]): Promise<readonly string[]> {
    const script = join(folder, 'run.sh');
    // Of programs for nodes the machine has what the state gives it, whatever else the path leads to.
    const path = 'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n';
    writeFileSync(script, `${isolation}${path}${prepare}exec "$@"\n`);
    const { stderr, stdout } = await runProgram(['unshare', '-mn', 'sh', script, ...argv]);
    const found = `${stderr}\n${stdout}`.matchAll(/\t\[(WARNING|ERROR) ([^\]]+)\]: /g);
    return [...new Set(Array.from(found, ([, level, name]) => `${level} ${name}`))];
  }

  for (const { name, prepare } of states) {
    test(name, async () => {
      const theirs = await findings(prepare, [
        ...[kubeProgram('kubeadm'), 'init', 'phase', 'preflight', '--config', config],
      ]);
      const all = await findings(prepare, [
        ...[process.execPath, slipwayProgram, 'preflight', 'init', '--config', config],
      ]);
      const ours = all.filter((line) => !own.includes(line.split(' ')[1] ?? ''));
      assert.ok(theirs.length > 0);
      assert.deepEqual(ours, theirs);
    });
  }
});
