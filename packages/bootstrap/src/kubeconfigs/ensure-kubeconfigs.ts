import { posix } from 'node:path';
import { type Clock, describeError, TerminalError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { connectionOf } from '@slipway/kube';
import { inspectCertificate, requirePemBlock } from '@slipway/pki';
import { outsidePeriod } from '../certificates/judge-pair.ts';
import { KeyStock } from '../certificates/key-stock.ts';
import { leafValidity, type PkiSettings } from '../certificates/pki-settings.ts';
import { certificateFolder, privateFile } from '../certificates/stored-pair.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostKubeconfig } from '../tls-bootstrap/kubelet-credentials.ts';
import type { Reporter } from '../workflow/ground.ts';
import {
  type ClusterAuthority,
  clientKubeconfig,
  readClusterAuthority,
} from './client-kubeconfig.ts';
import { type KubeconfigName, type KubeconfigSpec, kubeconfigSpecs } from './kubeconfig-specs.ts';

export type EnsureKubeconfigsOptions = {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly settings: PkiSettings;
  /** Default /etc/kubernetes. */
  readonly directory?: HostPath;
  /** Default: all five. A further control plane has no super-admin, and its kubelet has its own already. */
  readonly only?: readonly KubeconfigName[];
  /** Where keys come from, by the names of the files; default: made when they are needed. */
  readonly keys?: KeyStock;
  readonly reporter?: Reporter;
};

export type EnsuredKubeconfig = {
  readonly name: KubeconfigName;
  readonly path: HostPath;
  readonly outcome: 'made' | 'reused';
};

/** What is known of a file that is there. */
type Found = { readonly warnings: readonly string[] } | { readonly refusal: string };

/**
 * Brings the kubeconfigs of a control plane to what the configuration needs. One that is there and trusts
 * the authority of the cluster stays, with a warning where it leads elsewhere or has expired; one that
 * does not is refused before anything is written. Without the authority's key all of them must be there.
 * @throws TerminalError `bootstrap.kubeconfig.unusable`, `bootstrap.certificates.authority`
 */
export async function ensureKubeconfigs(
  options: EnsureKubeconfigsOptions,
): Promise<readonly EnsuredKubeconfig[]> {
  const { files, settings, directory = kubernetesPaths.directory, only, reporter } = options;
  const authority = await readClusterAuthority(files, settings.cluster.certificatesDir);
  const specs = kubeconfigSpecs(settings).filter(({ name }) => only?.includes(name) ?? true);
  const surveyed = await Promise.all(
    specs.map(async (spec) => {
      const path = posix.join(directory, spec.file);
      return { spec, path, found: await inspect(options, { spec, path, authority }) };
    }),
  );
  const refusals = surveyed.flatMap(({ found }) =>
    found !== undefined && 'refusal' in found ? [found.refusal] : [],
  );
  if (refusals.length > 0) throw unusable(refusals);
  await files.removeStaleTemporaries(directory);
  const keys = options.keys ?? new KeyStock(settings);
  const texts = await Promise.all(
    surveyed.map(({ spec, found }) => found ?? make({ ...options, keys }, spec, authority)),
  );
  const ensured: EnsuredKubeconfig[] = [];
  for (const [index, { spec, path }] of surveyed.entries()) {
    const text = texts[index];
    if (typeof text === 'string') {
      await files.makeDirectory(directory, certificateFolder);
      await files.write(path, Buffer.from(text), privateFile);
    } else if (text !== undefined && 'warnings' in text) {
      for (const warning of text.warnings) reporter?.problem(`warning: ${warning}`);
    }
    const outcome = typeof text === 'string' ? 'made' : 'reused';
    reporter?.phase('kubeconfig', outcome === 'made' ? `made ${path}` : `using ${path}`);
    ensured.push({ name: spec.name, path, outcome });
  }
  return ensured;
}

async function make(
  { clock, settings, keys }: EnsureKubeconfigsOptions & { readonly keys: KeyStock },
  { subject, server, file }: KubeconfigSpec,
  { certificatePem, signer }: ClusterAuthority,
): Promise<string> {
  // `inspect` has refused what would have to be made without a signer.
  if (signer === undefined) throw unusable([`${subject.commonName}: there is no key to sign with`]);
  const { cluster } = settings;
  return await clientKubeconfig(
    { clusterName: cluster.clusterName, server, authorityPem: certificatePem },
    signer,
    { subject, validity: leafValidity(cluster, clock.now()), key: await keys.take(file) },
  );
}

type Inspection = {
  readonly spec: KubeconfigSpec;
  readonly path: HostPath;
  readonly authority: ClusterAuthority;
};

/** Undefined: it is not there and can be made. */
async function inspect(
  { files, clock }: EnsureKubeconfigsOptions,
  { spec, path, authority }: Inspection,
): Promise<Found | undefined> {
  const anew = `move it away, then run: slipway init phase kubeconfig ${spec.name}`;
  try {
    const kubeconfig = await readHostKubeconfig(files, path);
    if (kubeconfig === undefined) {
      if (authority.signer !== undefined) return undefined;
      return {
        refusal: `${path} is missing, and there is no key of the authority to make it with`,
      };
    }
    const { server, certificateAuthority, clientCertificate } = connectionOf(kubeconfig);
    const trusted = pemOf(certificateAuthority);
    if (trusted === undefined || !isSameCertificate(trusted, authority.certificatePem)) {
      return { refusal: `${path} does not trust the authority of this cluster; ${anew}` };
    }
    const period = expiry(pemOf(clientCertificate), clock.now());
    return {
      warnings: [
        ...(server === spec.server ? [] : [`${path} leads to ${server}, not to ${spec.server}`]),
        ...(period === undefined
          ? []
          : [`the certificate of ${path} ${period}; run: slipway certs renew ${spec.file}`]),
      ],
    };
  } catch (error) {
    return { refusal: `${path} cannot be used: ${describeError(error)}; ${anew}` };
  }
}

function pemOf(source: { readonly pem: string } | { readonly path: string } | undefined) {
  return source !== undefined && 'pem' in source ? source.pem : undefined;
}

function expiry(certificatePem: string | undefined, now: number): string | undefined {
  if (certificatePem === undefined) return undefined;
  return outsidePeriod(inspectCertificate(certificatePem), now);
}

/** By content, whatever the white space; the first certificate counts. */
function isSameCertificate(one: string, other: string): boolean {
  const der = (pem: string) => Buffer.from(requirePemBlock(pem, 'CERTIFICATE').der);
  return der(one).equals(der(other));
}

function unusable(refusals: readonly string[]): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.kubeconfig.unusable';
  const text = refusals.length === 1 ? refusals[0] : `\n- ${refusals.join('\n- ')}`;
  return new TerminalError(`use kubeconfigs: ${text}`, { code });
}

/** For a workflow that makes kubeconfigs one at a time: orders the keys of all that are not there. */
export async function orderKubeconfigKeys(
  keys: KeyStock,
  files: HostFiles,
  {
    settings,
    directory = kubernetesPaths.directory,
  }: Pick<EnsureKubeconfigsOptions, 'settings' | 'directory'>,
): Promise<void> {
  const missing = await Promise.all(
    kubeconfigSpecs(settings).map(async ({ file }) =>
      (await files.stat(posix.join(directory, file))) === undefined ? [file] : [],
    ),
  );
  keys.order(missing.flat());
}
