import { followLinks } from '../../host-text/follow-links.ts';
import { type Check, failure } from '../check.ts';

/** A file that external etcd is reached with. The name is the same for all of them, as kubeadm's. */
export function etcdCertificate(field: string, path: string): Check {
  return {
    name: 'ExternalEtcdClientCertificates',
    run: async ({ ground }) =>
      (await followLinks(ground.files, path)) === undefined
        ? [
            failure(
              `${path} does not exist`,
              `copy it from etcd, or correct etcd.external.${field} in ClusterConfiguration`,
            ),
          ]
        : [],
  };
}
