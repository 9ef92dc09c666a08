import { posix } from 'node:path';
import { compareBytes } from '@slipway/base';
import type { ExternalEtcd, HostPathMount } from '../config/configuration.ts';

/** A file or folder of the host in a static pod. */
export type HostVolume = {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  /** A HostPathType; empty: nothing is checked. */
  readonly pathType: string;
};

/** Folders that certificates in /etc/ssl/certs may be links into; mounted where the host has them. */
export const certificateFolders = [
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ca-certificates',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
] as const;

/** Where plug-ins for volumes were found until 1.35. */
const flexVolumeFolder = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

const systemCertificates = '/etc/ssl/certs';

/** The same path inside and outside. */
export function hostVolume(
  name: string,
  path: string,
  pathType: string,
  readOnly = true,
): HostVolume {
  return { name, hostPath: path, mountPath: path, readOnly, pathType };
}

/** Certificates of the cluster and of the system, with the folders of `existing` that links may lead into. */
export function certificateVolumes(
  certificatesDir: string,
  existing: readonly string[],
): readonly HostVolume[] {
  const linked = certificateFolders
    .filter((folder) => existing.includes(folder))
    .map((folder) => hostVolume(folder.slice(1).replaceAll('/', '-'), folder, 'DirectoryOrCreate'));
  return [
    hostVolume('k8s-certs', certificatesDir, 'DirectoryOrCreate'),
    hostVolume('ca-certs', systemCertificates, 'DirectoryOrCreate'),
    ...linked,
  ];
}

export function kubeconfigVolume(path: string): HostVolume {
  return hostVolume('kubeconfig', path, 'FileOrCreate');
}

/**
 * The folders of an external etcd's certificates that no other volume covers; a parent covers its children.
 * kubeadm compares the texts alone: to it, /etc/kubernetes/pki-etcd is inside /etc/kubernetes/pki, and the
 * API server finds no certificates. Here a parent ends where a name ends.
 */
export function externalEtcdVolumes(
  { caFile, certFile, keyFile }: ExternalEtcd,
  certificatesDir: string,
): readonly HostVolume[] {
  const covered = [...certificateFolders, systemCertificates, certificatesDir];
  const folders = [caFile, certFile, keyFile]
    .filter((file) => file !== '')
    .map((file) => posix.dirname(posix.normalize(file)))
    .filter((folder) => !covered.some((parent) => isInside(folder, parent)));
  const topmost = [...new Set(folders)]
    .filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)))
    .sort(compareBytes);
  return topmost.map((folder, index) =>
    hostVolume(`etcd-certs-${index}`, folder, 'DirectoryOrCreate'),
  );
}

function isInside(folder: string, parent: string): boolean {
  return folder === parent || folder.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}

/** `volumes` with the user's own; one of the same name replaces. */
export function withExtraVolumes(
  volumes: readonly HostVolume[],
  extraVolumes: readonly HostPathMount[],
): readonly HostVolume[] {
  const extra = extraVolumes.map(({ name, hostPath, mountPath, readOnly, pathType }) => ({
    name,
    hostPath,
    mountPath,
    readOnly: readOnly ?? false,
    pathType: pathType ?? '',
  }));
  const merged = new Map([...volumes, ...extra].map((volume) => [volume.name, volume]));
  return [...merged.values()];
}

/** The folder of volume plug-ins, which the controller manager had until 1.35; of the user's flag when given. */
export function flexVolume(given: string | undefined): HostVolume {
  return hostVolume('flexvolume-dir', given ?? flexVolumeFolder, 'DirectoryOrCreate', false);
}
