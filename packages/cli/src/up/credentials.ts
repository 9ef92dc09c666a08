import { join } from 'node:path';
import { type Ground, kubernetesPaths, readHostKubeconfig, readHostText } from '@slipway/bootstrap';
import { connectionOf } from '@slipway/kube';
import {
  type CertificateAndKey,
  type CertificateAuthority,
  loadCertificateAndKey,
} from '@slipway/pki';
import { openCertificate } from './key-folder.ts';
import { readOptional } from './private-file.ts';

/** All that the control plane needs to know of keys. */
export type Credentials = {
  readonly authority: CertificateAuthority;
  readonly server: CertificateAndKey;
  readonly administrator: CertificateAndKey;
  readonly operator: CertificateAndKey;
};

/** As whom the operator comes: a user without any group, held to the rights it was given by name. */
export const operatorUser = 'slipway-operator';

/**
 * Until this version the authority of a cluster lay in the data directory itself. It is taken over, so
 * that hosts that joined then still trust the cluster and are trusted by it.
 */
export async function adoptAuthority({ files }: Ground, formerDirectory: string): Promise<void> {
  const target = `${kubernetesPaths.certificates}/ca`;
  if ((await files.stat(`${target}.crt`)) !== undefined) return;
  const key = await readOptional(join(formerDirectory, 'ca.key'));
  const certificate = await readOptional(join(formerDirectory, 'ca.crt'));
  if (key === undefined || certificate === undefined) return;
  const owner = { uid: 0, gid: 0 };
  await files.makeDirectory(kubernetesPaths.certificates, { mode: 0o755, ...owner });
  await files.write(`${target}.key`, Buffer.from(key), { mode: 0o600, ...owner });
  await files.write(`${target}.crt`, Buffer.from(certificate), { mode: 0o644, ...owner });
}

/**
 * The credentials that the phases of `init` made, and those of the operator, kept in `directory`: a
 * certificate of its own that is made anew before it expires.
 */
export async function openCredentials(ground: Ground, directory: string): Promise<Credentials> {
  const authority = await readPair(ground, 'ca');
  return {
    authority,
    server: await readPair(ground, 'apiserver'),
    administrator: await readAdministrator(ground),
    operator: await openCertificate(directory, 'operator', {
      authority,
      leaf: { subject: { commonName: operatorUser, organizations: [] }, usages: ['client'] },
      now: ground.clock.now(),
    }),
  };
}

async function readPair({ files }: Ground, name: string): Promise<CertificateAndKey> {
  const path = `${kubernetesPaths.certificates}/${name}`;
  const certificate = await readHostText(files, `${path}.crt`);
  const key = await readHostText(files, `${path}.key`);
  if (certificate === undefined || key === undefined) throw new TypeError(`read ${path}: missing`);
  return loadCertificateAndKey(certificate, key);
}

async function readAdministrator({ files }: Ground): Promise<CertificateAndKey> {
  const path = kubernetesPaths.adminKubeconfig;
  const kubeconfig = await readHostKubeconfig(files, path);
  const { clientCertificate, clientKey } = kubeconfig === undefined ? {} : connectionOf(kubeconfig);
  const isEmbedded =
    clientCertificate !== undefined &&
    'pem' in clientCertificate &&
    clientKey !== undefined &&
    'secret' in clientKey;
  if (!isEmbedded) throw new TypeError(`read ${path}: no embedded credentials`);
  return loadCertificateAndKey(clientCertificate.pem, clientKey.secret.reveal());
}
