import { posix } from 'node:path';
import { TerminalError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { renderKubeconfig, singleUserKubeconfig } from '@slipway/kube';
import {
  type AlternativeNames,
  createCertificateSigningRequest,
  encodeTraditionalKey,
  generatePrivateKey,
  type Subject,
} from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { kubeconfigSpecs } from '../kubeconfigs/kubeconfig-specs.ts';
import { keyTypeOf, type PkiSettings, wantedCertificates } from './pki-settings.ts';
import { certificateFolder, pairPath, privateFile } from './stored-pair.ts';

export type SigningRequestsOptions = {
  readonly files: HostFiles;
  readonly settings: PkiSettings;
  /** Where the kubeconfigs go; default /etc/kubernetes. */
  readonly kubeconfigDirectory?: HostPath;
};

/** What is written for one certificate that somebody else signs. */
type Order = {
  /** `etcd/server`, `admin.conf` */
  readonly name: string;
  readonly requestPath: HostPath;
  readonly keyPath: HostPath;
  readonly subject: Subject;
  readonly names: AlternativeNames;
  /** Content of the file at `keyPath`. */
  readonly render: (keyPem: ReturnType<typeof encodeTraditionalKey>) => string;
};

/** Names of the requests that were written, by their folder. */
export type WrittenRequests = {
  readonly certificates: readonly string[];
  readonly kubeconfigs: readonly string[];
};

/**
 * For an authority that is kept elsewhere: writes a key and a signing request for every leaf of the
 * tree, and for every kubeconfig a file that lacks the two certificates and its request beside it. A file
 * that is there already is refused before anything is written.
 * @throws TerminalError `bootstrap.certificates.exists`
 */
export async function generateSigningRequests(
  options: SigningRequestsOptions,
): Promise<WrittenRequests> {
  const { files, settings, kubeconfigDirectory = kubernetesPaths.directory } = options;
  const certificates = certificateOrders(settings);
  const kubeconfigs = kubeconfigOrders(settings, kubeconfigDirectory);
  const orders = [...certificates, ...kubeconfigs];
  await refuseExisting(files, orders);
  const keyType = keyTypeOf(settings.cluster);
  const keys = await Promise.all(orders.map(() => generatePrivateKey(keyType)));
  for (const [index, order] of orders.entries()) {
    const key = keys[index];
    if (key === undefined) continue;
    const request = await createCertificateSigningRequest(key, order.subject, order.names);
    await files.makeDirectory(posix.dirname(order.keyPath), certificateFolder);
    const text = order.render(encodeTraditionalKey(key));
    await files.write(order.keyPath, Buffer.from(text), privateFile);
    await files.write(order.requestPath, Buffer.from(request), privateFile);
  }
  const nameOf = ({ name }: Order) => name;
  return { certificates: certificates.map(nameOf), kubeconfigs: kubeconfigs.map(nameOf) };
}

function certificateOrders(settings: PkiSettings): readonly Order[] {
  return wantedCertificates(settings)
    .filter(({ authority }) => authority !== undefined)
    .map(({ baseName, subject, dnsNames, ipAddresses }) => {
      const path = pairPath(settings.cluster.certificatesDir, baseName);
      return {
        name: baseName,
        requestPath: `${path}.csr`,
        keyPath: `${path}.key`,
        subject,
        names: { dnsNames, ipAddresses },
        render: (keyPem) => keyPem.reveal(),
      };
    });
}

function kubeconfigOrders(settings: PkiSettings, directory: HostPath): readonly Order[] {
  const { clusterName } = settings.cluster;
  return kubeconfigSpecs(settings).map(({ file, subject, server }) => {
    const path = posix.join(directory, file);
    return {
      name: file,
      requestPath: `${path}.csr`,
      keyPath: path,
      subject,
      names: {},
      render: (secret) =>
        renderKubeconfig(
          singleUserKubeconfig(
            { name: clusterName, server },
            { name: subject.commonName, clientKey: { secret } },
          ),
        ),
    };
  });
}

async function refuseExisting(files: HostFiles, orders: readonly Order[]): Promise<void> {
  const paths = orders.flatMap(({ keyPath, requestPath }) => [keyPath, requestPath]);
  const stats = await Promise.all(paths.map((path) => files.stat(path)));
  const existing = paths.filter((_, index) => stats[index] !== undefined);
  if (existing.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.certificates.exists';
  const list = existing.join(', ');
  throw new TerminalError(`generate signing requests: there is already ${list}`, { code });
}
