import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchContext, Figure } from './version.bench.ts';

const run = promisify(execFile);
const rounds = 9;

/** Nothing of it is looked up: neither program waits for a network. */
const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 10.20.0.11
nodeRegistration:
  name: cp1
  criSocket: unix:///run/containerd/containerd.sock
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: VERSION
`;

/**
 * Wall time of the whole certificate tree (RSA-2048, 22 files), process start included, by slipway and
 * by the real kubeadm where one is built. Turn by turn, so that whatever else the machine does hits both;
 * the least of the turns.
 */
export async function bench({ program }: BenchContext): Promise<readonly Figure[]> {
  const kubeadm = newestKubeadm();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await ourTree(program, join(folder, `ours-${round}`)));
      if (kubeadm !== undefined) {
        theirs.push(await theirTree(kubeadm, join(folder, `theirs-${round}`)));
      }
    }
    const figure = (name: string, values: readonly number[]): readonly Figure[] =>
      values.length === 0 ? [] : [{ name, value: Math.round(Math.min(...values)), unit: 'ms' }];
    return [...figure('certs.tree_ms', ours), ...figure('certs.tree_kubeadm_ms', theirs)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ourTree(program: string, root: string): Promise<number> {
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'cluster.yaml'), configuration.replace('VERSION', 'v1.37.2'));
  const flags = ['--rootfs', root, '--config', '/cluster.yaml'];
  return await timed(process.execPath, [program, 'init', 'phase', 'certs', 'all', ...flags]);
}

/** kubeadm would change its root for `--rootfs`, so its folder is named in the configuration. */
async function theirTree(kubeadm: string, folder: string): Promise<number> {
  mkdirSync(folder);
  const config = join(folder, 'cluster.yaml');
  const version = /\/(v[^/]+)\/kubeadm$/.exec(kubeadm)?.[1] ?? '';
  const text = configuration.replace('VERSION', version);
  writeFileSync(config, `${text}certificatesDir: ${join(folder, 'pki')}\n`);
  return await timed(kubeadm, ['init', 'phase', 'certs', 'all', '--config', config]);
}

async function timed(file: string, argv: readonly string[]): Promise<number> {
  const started = performance.now();
  await run(file, argv);
  return performance.now() - started;
}

function newestKubeadm(): string | undefined {
  const pattern = join(homedir(), '.cache/slipway/kube-binaries/*/kubeadm');
  return globSync(pattern).filter(isExecutable).sort(byName).at(-1);
}

function byName(left: string, right: string): number {
  return left < right ? -1 : 1;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Being built, or not for this machine.
    return false;
  }
}
