import { type Ground, kubernetesPaths, readHostKubeconfig, readHostText } from '@slipway/bootstrap';
import { connectionOf } from '@slipway/kube';
import { dayMs, inspectCertificate } from '@slipway/pki';

/** With less time left than this, what expires is made anew. */
const spareMs = 30 * dayMs;

const leaves = ['apiserver', 'apiserver-kubelet-client', 'front-proxy-client'];
const kubeconfigs = [
  kubernetesPaths.adminKubeconfig,
  kubernetesPaths.superAdminKubeconfig,
  kubernetesPaths.kubeletKubeconfig,
  kubernetesPaths.controllerManagerKubeconfig,
  kubernetesPaths.schedulerKubeconfig,
];

/**
 * Removes certificates and kubeconfigs that expire soon, and those that do not fit the address of the
 * cluster any more: its port may have been taken meanwhile. The phases make them anew; authorities stay.
 */
export async function removeStaleCredentials(ground: OwnFiles, endpoint: string): Promise<void> {
  const { hostname, port } = new URL(endpoint);
  for (const name of leaves) {
    const path = `${kubernetesPaths.certificates}/${name}.crt`;
    const text = await readHostText(ground.files, path);
    if (text === undefined) continue;
    const isServed =
      name !== 'apiserver' || inspectCertificate(text).ipAddresses.includes(hostname);
    if (!isServed || expiresSoon(ground, text)) await ground.files.remove(path);
  }
  for (const path of kubeconfigs) await removeStaleKubeconfig(ground, path, port);
}

type OwnFiles = Pick<Ground, 'files' | 'clock'>;

async function removeStaleKubeconfig(ground: OwnFiles, path: string, port: string): Promise<void> {
  const kubeconfig = await readHostKubeconfig(ground.files, path);
  if (kubeconfig === undefined) return;
  const { server, clientCertificate } = connectionOf(kubeconfig);
  const pem = clientCertificate && 'pem' in clientCertificate ? clientCertificate.pem : undefined;
  const isGood = pem !== undefined && !expiresSoon(ground, pem) && new URL(server).port === port;
  if (!isGood) await ground.files.remove(path);
}

function expiresSoon({ clock }: OwnFiles, certificatePem: string): boolean {
  return inspectCertificate(certificatePem).notAfter - clock.now() < spareMs;
}
