import { TerminalError } from '@slipway/base';
import {
  type BootstrapErrorCode,
  certificateKey,
  expirationObject,
  expirationTables,
  generateSigningRequests,
  kubernetesPaths,
  type Renewal,
  readExpirations,
  renewCertificates,
} from '@slipway/bootstrap';
import type { AnswerFlags } from '../../answer/answer-format.ts';
import { openAnswer } from '../../answer/print-answer.ts';
import { textTable } from '../../text-table.ts';
import type { CommandContext } from '../program.ts';
import {
  type CertificateFlags,
  type ClusterCertificateFlags,
  clusterSettings,
  nodeSettings,
} from './certificate-settings.ts';
import { directoryOf } from './directory-flag.ts';
import { createGround } from './ground.ts';

export type { CertificateFlags } from './certificate-settings.ts';

export type RenewalFlags = ClusterCertificateFlags;

export type ExpirationFlags = ClusterCertificateFlags & AnswerFlags;

export type SigningRequestFlags = CertificateFlags & { readonly kubeconfigDir?: string };

/** `certs check-expiration`; what cannot be read is told after the others. */
export async function checkExpiration(
  flags: ExpirationFlags,
  context: CommandContext,
): Promise<void> {
  const print = await openAnswer(flags, context);
  const ground = createGround(context, flags);
  const cluster = await clusterSettings(flags, ground, context);
  const expirations = await readExpirations({ files: ground.files, clock: ground.clock, cluster });
  print({
    objects: [expirationObject(expirations)],
    text: () =>
      expirationTables(expirations).flatMap(({ header, rows }, index) => [
        ...(index > 0 ? [''] : []),
        ...textTable(header, rows),
      ]),
  });
  const all = [...expirations.certificates, ...expirations.authorities];
  const problems = all.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.certificates.unusable';
  throw new TerminalError(`read certificates: ${problems.join('; ')}`, { code });
}

/** `certs renew NAME|all`; one that fails is told after the others were renewed. */
export async function renew(
  name: string,
  flags: RenewalFlags,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const ground = createGround(context, flags);
  const cluster = await clusterSettings(flags, ground, context);
  const { files, clock } = ground;
  const only = name === 'all' ? {} : { only: [name] };
  const renewals = await renewCertificates({ files, clock, cluster, ...only });
  for (const renewal of renewals) output.line(describe(renewal));
  if (renewals.some(({ outcome }) => outcome === 'renewed')) {
    output.line();
    output.line(
      'Restart kube-apiserver, kube-controller-manager, kube-scheduler and etcd, so that they use what is new.',
    );
  }
  const failed = renewals.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.certificates.renewal';
  const reasons = failed.map((each) => `${each.name}: ${each.reason}`).join('; ');
  throw new TerminalError(`renew certificates: ${reasons}`, { code });
}

function describe({ name, purpose, outcome }: Renewal): string {
  if (outcome === 'missing') return `MISSING! ${name} (${purpose})`;
  if (outcome === 'external') return `${name} not renewed: its authority is kept elsewhere`;
  return outcome === 'failed' ? `${name} FAILED, left as it was` : `${name} renewed (${purpose})`;
}

/** `certs generate-csr` */
export async function generateRequests(
  flags: SigningRequestFlags,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const ground = createGround(context, flags);
  const settings = await nodeSettings(flags, ground, context);
  const directory =
    flags.kubeconfigDir === undefined
      ? kubernetesPaths.directory
      : directoryOf('--kubeconfig-dir', flags.kubeconfigDir);
  const written = await generateSigningRequests({
    files: ground.files,
    settings,
    kubeconfigDirectory: directory,
  });
  output.line(`keys and signing requests in ${settings.cluster.certificatesDir}:`);
  for (const name of written.certificates) output.line(`  ${name}`);
  output.line(`kubeconfigs without certificates, and signing requests, in ${directory}:`);
  for (const name of written.kubeconfigs) output.line(`  ${name}`);
}

/** `certs certificate-key` */
export function printCertificateKey({ output }: CommandContext): void {
  output.line(certificateKey());
}
