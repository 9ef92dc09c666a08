import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutKubePrograms, withoutNamespaces } from '../test/kit/kube-binaries.ts';
import { withoutContainerd } from '../test/kit/real-containerd.ts';
import { projectRoot, runStep } from './run-step.ts';

/**
 * `npm run test:cluster`: slipway against the real Kubernetes: etcd and the control plane with the
 * command lines of our manifests, kubeadm over our files, and containerd. Needs root, Linux, Debian's
 * containerd 1.6 and the programs of `test/kube-binaries`; refuses with the reason instead of passing
 * without having run.
 */
const reason =
  withoutNamespaces() ||
  withoutContainerd() ||
  withoutKubePrograms([
    'etcd',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'kubeadm',
    'kubectl',
    'containerd',
    'containerd-shim-runc-v2',
    'ctr',
    'runc',
  ]);
if (reason !== false) {
  console.error(`test:cluster: ${reason}`);
  process.exit(2);
}
const bundle = mkdtempSync(join(tmpdir(), 'slipway-test-cluster-'));
if (runStep([process.execPath, 'tools/build.ts', '--quiet', '--outdir', bundle]) !== 0)
  process.exit(1);
const chosen = process.argv.slice(2);
const files =
  chosen.length > 0
    ? chosen
    : globSync('test/real/**/*.host-test.ts', { cwd: projectRoot }).sort((a, b) =>
        a < b ? -1 : 1,
      );
const code = runStep(
  [process.execPath, '--test', '--test-concurrency=1', '--test-reporter=spec', ...files],
  { SLIPWAY_PROGRAM: join(bundle, 'slipway.mjs') },
);
rmSync(bundle, { recursive: true });
process.exit(code);
