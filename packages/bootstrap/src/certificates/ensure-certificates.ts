import type { Clock } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import type { CertificateName } from '@slipway/pki';
import type { Reporter } from '../workflow/ground.ts';
import { KeyStock } from './key-stock.ts';
import type { PkiSettings } from './pki-settings.ts';
import { unusable } from './refusals.ts';
import { judgeServiceAccountKey, writeServiceAccountKey } from './service-account-key.ts';
import { writePair } from './stored-pair.ts';
import { type SurveyedCertificate, surveyTree, type TreeSurvey } from './survey-tree.ts';

/** A certificate, or the key pair of service accounts. */
export type PkiName = CertificateName | 'sa';

export type EnsureCertificatesOptions = {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly settings: PkiSettings;
  /** Default: all of the tree, and `sa`. Names of an external etcd's certificates are passed over. */
  readonly only?: readonly PkiName[];
  /**
   * `make` (default): authorities and the key of service accounts are made where there are none.
   * `require`: they have to be there, as on a further control plane.
   */
  readonly authorities?: 'make' | 'require';
  /** Where keys come from; default: made when they are needed. */
  readonly keys?: KeyStock;
  readonly reporter?: Reporter;
};

/** What was done about one. */
export type EnsuredCertificate = {
  readonly name: PkiName;
  /** `external`: an authority whose key is kept elsewhere. */
  readonly outcome: 'made' | 'reused' | 'external';
};

/**
 * Brings the certificate folder to what the configuration needs. What is there and right stays as it is;
 * what is there and wrong is refused, all of it in one error, before anything is written. An interruption
 * at any instant leaves what a second run completes.
 * @throws TerminalError `bootstrap.certificates.unusable`
 */
export async function ensureCertificates(
  options: EnsureCertificatesOptions,
): Promise<readonly EnsuredCertificate[]> {
  const { files, settings, only, authorities = 'make', reporter } = options;
  const directory = settings.cluster.certificatesDir;
  for (const folder of [directory, `${directory}/etcd`]) {
    await files.removeStaleTemporaries(folder);
  }
  const keys = options.keys ?? new KeyStock(settings);
  const hasKeyPair = only === undefined || only.includes('sa');
  const keyPair = hasKeyPair ? await judgeServiceAccountKey(files, directory) : undefined;
  if (keyPair?.kind === 'make' && authorities === 'make') keys.order(['sa']);
  const survey = await surveyTree({ ...options, keys });
  const refusals = [...survey.refusals];
  if (keyPair?.kind === 'refuse') refusals.push(keyPair.refusal);
  if (keyPair?.kind === 'make' && authorities === 'require') {
    refusals.push(absentKeyPair(directory));
  }
  if (refusals.length > 0) throw unusable(refusals);
  await writeTree(options, survey);
  for (const certificate of survey.certificates) tell(certificate, reporter);
  const ensured = survey.certificates.map(({ spec, outcome }) => ({ name: spec.name, outcome }));
  if (keyPair === undefined || keyPair.kind === 'refuse') return ensured;
  await writeServiceAccountKey(files, directory, keyPair, () => keys.take('sa'));
  const outcome = keyPair.kind === 'reuse' ? 'reused' : 'made';
  const done = outcome === 'made' ? 'made' : 'using';
  reporter?.phase('certs', `${done} ${directory}/sa.key and sa.pub`);
  return [...ensured, { name: 'sa', outcome }];
}

function absentKeyPair(directory: string) {
  return {
    reason: `${directory}/sa.key is missing`,
    remedy: 'copy it from another control plane, or join with --certificate-key',
  };
}

/** Authorities first: a leaf without its authority would be taken for a foreign one. */
async function writeTree({ files }: EnsureCertificatesOptions, survey: TreeSurvey): Promise<void> {
  const isLeaf = ({ spec }: SurveyedCertificate) => spec.authority !== undefined;
  const authorities = survey.certificates.filter((certificate) => !isLeaf(certificate));
  for (const group of [authorities, survey.certificates.filter(isLeaf)]) {
    const writes = group.map(({ path, pair }) => pair && writePair(files, path, pair));
    // Every write has come to its end before an error is told.
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

function tell({ spec, outcome, path }: SurveyedCertificate, reporter: Reporter | undefined): void {
  if (outcome === 'external') {
    reporter?.phase('certs', `using ${path}.crt, whose key is kept elsewhere`);
  } else if (outcome === 'reused') {
    reporter?.phase('certs', `using ${path}.crt`);
  } else {
    const names = [...spec.dnsNames, ...spec.ipAddresses];
    const named = spec.usages.includes('server') ? ` for ${names.join(', ')}` : '';
    reporter?.phase('certs', `made ${path}.crt${named}`);
  }
}
