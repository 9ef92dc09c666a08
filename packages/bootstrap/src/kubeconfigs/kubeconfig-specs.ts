import type { Subject } from '@slipway/pki';
import type { PkiSettings } from '../certificates/pki-settings.ts';
import { hasLocalKubelets } from '../facts/feature-gates.ts';
import { clusterApiAddress, localApiAddress } from '../workflow/api-address.ts';

/** Names as kubeadm's phases spell them; the file is the name and `.conf`. */
export type KubeconfigName =
  | 'admin'
  | 'super-admin'
  | 'kubelet'
  | 'controller-manager'
  | 'scheduler';

/** What a kubeconfig of a control plane has to say. */
export type KubeconfigSpec = {
  readonly name: KubeconfigName;
  /** `admin.conf` */
  readonly file: string;
  /** Whom its client certificate names. */
  readonly subject: Subject;
  /** `https://host:port` */
  readonly server: string;
  /** Who uses it, to be read by people. */
  readonly purpose: string;
};

/**
 * The kubeconfigs of a control plane, in the order in which they are made. Components of a node talk to
 * the API server of that node, so that they are never newer than it; administrators talk to whatever all
 * nodes use. Subjects are a contract with clusters that kubeadm made (confirmed against 1.36.3, 1.37.2).
 */
export function kubeconfigSpecs({ init, cluster }: PkiSettings): readonly KubeconfigSpec[] {
  const local = localApiAddress(init.localAPIEndpoint);
  const endpoint = clusterApiAddress(cluster, init.localAPIEndpoint);
  return [
    {
      name: 'admin',
      file: 'admin.conf',
      subject: { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] },
      server: endpoint,
      purpose: 'administrators',
    },
    {
      name: 'super-admin',
      file: 'super-admin.conf',
      subject: { commonName: 'kubernetes-super-admin', organizations: ['system:masters'] },
      server: endpoint,
      purpose: 'administrators when authorization is broken',
    },
    {
      name: 'kubelet',
      file: 'kubelet.conf',
      subject: {
        commonName: `system:node:${init.nodeRegistration.name}`,
        organizations: ['system:nodes'],
      },
      server: hasLocalKubelets(cluster) ? local : endpoint,
      purpose: 'the kubelet of this node',
    },
    {
      name: 'controller-manager',
      file: 'controller-manager.conf',
      subject: { commonName: 'system:kube-controller-manager' },
      server: local,
      purpose: 'the controller manager',
    },
    {
      name: 'scheduler',
      file: 'scheduler.conf',
      subject: { commonName: 'system:kube-scheduler' },
      server: local,
      purpose: 'the scheduler',
    },
  ];
}
