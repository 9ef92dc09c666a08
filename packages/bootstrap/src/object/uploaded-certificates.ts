import { type SecretObject, secrets } from '@slipway/api';
import { type BootstrapToken, bootstrapTokenSecret } from '@slipway/pki';
import { joiningNodes, readAccess } from './access.ts';
import { type ClusterObject, clusterObject } from './cluster-object.ts';

/** Where encrypted authorities wait for control planes that join. */
export const uploadedCertificatesKey = { namespace: 'kube-system', name: 'kubeadm-certs' } as const;

/** How long uploaded certificates stay: 2 hours. */
export const uploadedCertificatesLifetimeMs = 2 * 60 * 60 * 1000;

/**
 * A token that is good for nothing but to expire: the Secret with the certificates belongs to its
 * Secret, so that the token cleaner and the garbage collector remove both.
 */
export function ownerTokenObject(token: BootstrapToken, nowMs: number): ClusterObject {
  const secret = bootstrapTokenSecret({
    token,
    description: 'Proxy for managing TTL for the kubeadm-certs secret',
    expiresAt: nowMs + uploadedCertificatesLifetimeMs,
    usages: [],
    groups: [],
  });
  const present = Object.entries(secret.data).filter(([, value]) => value !== '');
  return clusterObject<SecretObject>(secrets, { ...secret, data: Object.fromEntries(present) });
}

/** The Secret of the owner token as the cluster knows it. */
export type CertificatesOwner = { readonly name: string; readonly uid: string };

/**
 * Secret kubeadm-certs and who may read it. `content`: base64 of the encrypted files by their names,
 * such as `etcd-ca.crt`.
 */
export function uploadedCertificatesObjects(
  content: Readonly<Record<string, string>>,
  owner: CertificatesOwner,
): readonly ClusterObject[] {
  const reference = { apiVersion: 'v1', kind: 'Secret', name: owner.name, uid: owner.uid };
  const ownerReferences = [{ ...reference, controller: true, blockOwnerDeletion: true }];
  return [
    clusterObject(secrets, {
      metadata: { ...uploadedCertificatesKey, ownerReferences },
      data: content,
    }),
    ...readAccess('kubeadm:kubeadm-certs', { ...uploadedCertificatesKey, plural: 'secrets' }, [
      joiningNodes,
    ]),
  ];
}
