import { Secret } from '@slipway/base';
import { ensureCertificates } from '../certificates/ensure-certificates.ts';
import { downloadCertificates } from '../cluster-settings/download-certificates.ts';
import { controlPlaneComponents } from '../facts/paths.ts';
import { ensureKubeconfigs } from '../kubeconfigs/ensure-kubeconfigs.ts';
import { writeComponents } from '../workflow/static-pods.ts';
import type { JoinData } from './data.ts';

/** Fetches the authorities and the key of service accounts from the cluster and decrypts them. */
export async function fetchAuthorities(data: JoinData): Promise<void> {
  const { join, trust, ground, reporter, isDryRun, signal } = data;
  const { cluster } = await trust.settings();
  if (isDryRun) {
    reporter.phase('dryrun', `would download the authorities to ${cluster.certificatesDir}`);
    return;
  }
  const written = await downloadCertificates({
    client: await trust.bootstrapClient(),
    files: ground.files,
    key: new Secret(join.controlPlane?.certificateKey ?? ''),
    cluster,
    ...(signal === undefined ? {} : { signal }),
  });
  const what = written.length === 0 ? 'they are there already' : written.join(', ');
  reporter.phase('download-certs', `authorities of the cluster: ${what}`);
}

/** Makes what is this control plane's own; authorities have to be there. */
export async function makeCertificates(data: JoinData): Promise<void> {
  const { ground, reporter, trust, isDryRun } = data;
  const { files, clock } = ground;
  await ensureCertificates({
    files,
    clock,
    settings: await trust.settings(),
    reporter,
    // A dry run has not downloaded them.
    authorities: isDryRun ? 'make' : 'require',
  });
}

/** A further control plane has no super-admin, and its kubelet asks for a certificate of its own. */
export async function makeKubeconfigs(data: JoinData): Promise<void> {
  const { ground, reporter, trust } = data;
  const { files, clock } = ground;
  const settings = await trust.settings();
  const only = ['admin', 'controller-manager', 'scheduler'] as const;
  await ensureKubeconfigs({ files, clock, settings, reporter, only });
}

export async function writeControlPlane(data: JoinData): Promise<void> {
  await writeComponents(controlPlaneComponents, await data.trust.settings(), data);
}
