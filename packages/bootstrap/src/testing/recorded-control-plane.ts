import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRootFolderFiles, type HostFiles } from '@slipway/host';

const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

/** Manifest of a component that kubeadm v1.36.3 wrote for node cp1 at 10.20.0.11. */
export function recordedManifest(name: string): string {
  return readFileSync(new URL(`../upgrade/testdata/${name}.yaml`, import.meta.url), 'utf8');
}

/** A control plane as a folder that is removed again. */
export type RecordedControlPlane = Disposable & { readonly files: HostFiles };

/**
 * A folder with the recorded manifests; `change` gives the text of each, or undefined to leave it out.
 */
export function recordedControlPlane(
  change: (name: string) => string | undefined = recordedManifest,
): RecordedControlPlane {
  const root = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
  const manifests = join(root, 'etc/kubernetes/manifests');
  mkdirSync(manifests, { recursive: true });
  for (const name of names) {
    const text = change(name);
    if (text !== undefined) writeFileSync(join(manifests, `${name}.yaml`), text);
  }
  const files = createRootFolderFiles({ root, userId: process.getuid?.() ?? 0 });
  if (files === undefined) throw new Error(`no folder ${root}`);
  return { files, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}
