import type { HostFiles, HostPath } from '@slipway/host';
import type { DryRunFiles, FileChange } from './dry-run-files.ts';
import type { Reporter } from './ground.ts';

/** Contents that must not be shown: private keys, tokens, kubeconfigs with credentials. */
const secretText = /PRIVATE KEY-----|^\s*(?:client-key-data|token):/m;

/**
 * Tells what a dry run changed in files since the last report: each file with its content, keys and
 * kubeconfigs as `***`.
 */
export async function reportFileChanges(files: DryRunFiles, reporter: Reporter): Promise<void> {
  const changes = files.takeChanges();
  const last = new Map(changes.map((change) => [change.path, change]));
  for (const change of last.values()) await reportChange(files, change, reporter);
}

async function reportChange(
  files: DryRunFiles,
  change: FileChange,
  reporter: Reporter,
): Promise<void> {
  const { path } = change;
  if (change.kind === 'remove') {
    reporter.phase('dryrun', `would remove ${path}`);
  } else if (change.kind === 'link') {
    reporter.phase('dryrun', `would link ${path} to ${await files.readLink(path)}`);
  } else if (change.kind === 'attributes') {
    reporter.phase('dryrun', `would set mode ${octal(change.mode)} of ${path}`);
  } else {
    await reportWrite(files, path, reporter);
  }
}

async function reportWrite(files: HostFiles, path: HostPath, reporter: Reporter): Promise<void> {
  const stat = await files.stat(path);
  const text = Buffer.from(await files.read(path)).toString('utf8');
  reporter.phase('dryrun', `would write ${path} (mode ${octal(stat?.mode ?? 0)}):`);
  reporter.line(isSecret(path, text) ? '***' : text.trimEnd());
}

function isSecret(path: HostPath, text: string): boolean {
  return /\.(?:key|pem|conf)$/.test(path) || secretText.test(text);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
