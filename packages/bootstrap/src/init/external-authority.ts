import { ensureCertificates, type PkiName } from '../certificates/ensure-certificates.ts';
import { pairPath, readPair } from '../certificates/stored-pair.ts';
import { ensureKubeconfigs } from '../kubeconfigs/ensure-kubeconfigs.ts';
import type { InitData } from './data.ts';

/** What the authority of the cluster signs, and itself. */
const signed: readonly PkiName[] = ['ca', 'apiserver', 'apiserver-kubelet-client'];

/**
 * Whoever keeps the key of the authority elsewhere has to bring everything that it signs, kubeconfigs too:
 * what is missing is told before the first file is written, as kubeadm does, not when a later phase needs it.
 * @throws TerminalError `bootstrap.certificates.unusable`, `bootstrap.kubeconfig.unusable`
 */
export async function requireWhatIsSignedElsewhere(data: InitData): Promise<void> {
  const { settings, options } = data;
  const { files, clock } = data.ground;
  const authority = await readPair(files, pairPath(settings.cluster.certificatesDir, 'ca'));
  if (authority.certificatePem === undefined || authority.keyPem !== undefined) return;
  // Without a key to sign with, neither makes anything: each uses what is there, or refuses.
  await ensureCertificates({ files, clock, settings, only: signed });
  await ensureKubeconfigs({ files, clock, settings, directory: options.kubeconfigDirectory });
}
