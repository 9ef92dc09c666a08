import type { ClusterConfiguration } from '../config/configuration.ts';

/** A file that control planes share, and its key in Secret kubeadm-certs. */
export type UploadedFile = { readonly name: string; readonly path: string };

/**
 * The files that a control plane needs of another one: the authorities, the key pair of service
 * accounts, and what an external etcd is reached with. Names are kubeadm's; source: its copycerts phase.
 */
export function uploadedFiles(
  cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'etcd'>,
): readonly UploadedFile[] {
  const { certificatesDir, etcd } = cluster;
  const own = (file: string) => ({
    name: file.replaceAll('/', '-'),
    path: `${certificatesDir}/${file}`,
  });
  const always = [
    'ca.crt',
    'ca.key',
    'front-proxy-ca.crt',
    'front-proxy-ca.key',
    'sa.pub',
    'sa.key',
  ];
  if ('local' in etcd) return [...always, 'etcd/ca.crt', 'etcd/ca.key'].map(own);
  const { caFile, certFile, keyFile } = etcd.external;
  return [
    ...always.map(own),
    { name: 'external-etcd-ca.crt', path: caFile },
    { name: 'external-etcd.crt', path: certFile },
    { name: 'external-etcd.key', path: keyFile },
  ];
}
