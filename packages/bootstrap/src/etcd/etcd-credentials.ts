import { Secret, TerminalError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import type { BootstrapErrorCode } from '../errors.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import type { EtcdConnection } from './etcd-client.ts';

type Credentials = Pick<EtcdConnection, 'authorityPem' | 'certificatePem' | 'key'>;

/** What a control plane comes to its etcd with: the pair of the health check, as kubeadm does. */
export async function readEtcdCredentials(
  files: HostFiles,
  certificatesDir: string,
): Promise<Credentials> {
  const read = async (name: string): Promise<string> => {
    const path = `${certificatesDir}/etcd/${name}`;
    const text = await readHostText(files, path);
    if (text !== undefined) return text;
    const code: BootstrapErrorCode = 'bootstrap.etcd.unreachable';
    throw new TerminalError(`ask etcd: there is no ${path}`, { code });
  };
  return {
    authorityPem: await read('ca.crt'),
    certificatePem: await read('healthcheck-client.crt'),
    key: new Secret(await read('healthcheck-client.key')),
  };
}
