import { systemClock, UserError } from '@slipway/base';
import type { BootstrapTokenEntry } from '@slipway/bootstrap';
import {
  createDryRunClient,
  createToken,
  defaultTokenEntry,
  deleteTokens,
  joinCommand,
  joinTarget,
  listTokens,
  requireTokenEntry,
  settleInit,
  tokenColumns,
  tokenObject,
  tokenRow,
} from '@slipway/bootstrap';
import type { KubeClient } from '@slipway/kube';
import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import type { AnswerFlags } from '../../answer/answer-format.ts';
import { openAnswer } from '../../answer/print-answer.ts';
import type { CliErrorCode } from '../../errors.ts';
import { textTable } from '../../text-table.ts';
import type { CommandContext } from '../program.ts';
import { type ClusterFlags, findKubeconfig, openCluster } from './cluster-access.ts';
import { demandSettled } from './demand-settled.ts';
import { createGround } from './ground.ts';
import { readInput } from './input-file.ts';
import { createReporter } from './reporter.ts';

export type TokenFlags = ClusterFlags & { readonly dryRun?: boolean };

export type TokenCreateFlags = TokenFlags & {
  readonly ttl?: string;
  readonly usages?: readonly string[];
  readonly groups?: readonly string[];
  readonly description?: string;
  readonly config?: string;
  readonly printJoinCommand?: boolean;
  readonly certificateKey?: string;
};

export type TokenListFlags = TokenFlags & AnswerFlags;

/** `token create`: prints the (first) token, or the command that joins with it. */
export async function createTokens(
  token: string | undefined,
  flags: TokenCreateFlags,
  context: CommandContext,
): Promise<void> {
  checkMixed(token, flags);
  checkCertificateKey(flags);
  const entries = await entriesOf(token, flags, context);
  for (const entry of entries) requireTokenEntry(entry);
  const found = flags.printJoinCommand === true ? await findKubeconfig(context, flags) : undefined;
  const target = found && joinTarget(found.kubeconfig);
  const created = await withCluster(flags, context, async (client) => {
    const made = [];
    for (const entry of entries)
      made.push(await createToken({ client, entry, clock: systemClock }));
    return made;
  });
  const [first] = created;
  if (first === undefined) return;
  const text = formatBootstrapToken(first.token).reveal();
  const { certificateKey } = flags;
  const key = certificateKey === undefined ? {} : { certificateKey };
  context.output.line(
    target === undefined ? text : joinCommand({ ...target, token: text, ...key }),
  );
}

/** `token list`: malformed Secrets are told on standard error and left out. */
export async function printTokens(flags: TokenListFlags, context: CommandContext): Promise<void> {
  const print = await openAnswer(flags, context);
  const { tokens, problems } = await withCluster(flags, context, (client) => listTokens(client));
  for (const problem of problems) context.output.problem(`warning: ${problem}`);
  const now = systemClock.now();
  const rows = tokens.map((record) => tokenRow(record, now));
  print({
    objects: tokens.map(tokenObject),
    text: () => (rows.length === 0 ? [] : textTable(tokenColumns, rows)),
  });
}

/** `token delete`: by ids or whole tokens. */
export async function removeTokens(
  tokens: readonly string[],
  flags: TokenFlags,
  context: CommandContext,
): Promise<void> {
  const done = flags.dryRun === true ? 'would be deleted' : 'deleted';
  await withCluster(flags, context, (client) =>
    deleteTokens({
      client,
      tokens,
      onDeleted: (id) => context.output.line(`bootstrap token "${id}" ${done}`),
    }),
  );
}

/** `token generate`: no cluster is asked. */
export function generateToken({ output }: CommandContext): void {
  output.line(formatBootstrapToken(generateBootstrapToken()).reveal());
}

async function withCluster<T>(
  flags: TokenFlags,
  context: CommandContext,
  work: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const real = await openCluster(context, flags);
  const client =
    flags.dryRun === true
      ? createDryRunClient({ real, reporter: createReporter(context.output) })
      : real;
  try {
    return await work(client);
  } finally {
    real.close();
  }
}

/** The tokens of the file of `--config`, else the one that the flags describe. */
async function entriesOf(
  token: string | undefined,
  flags: TokenCreateFlags,
  context: CommandContext,
): Promise<readonly BootstrapTokenEntry[]> {
  if (flags.config === undefined) return [entryOf(token, flags)];
  const text = await readInput(context, flags, '--config', flags.config);
  const settled = await settleInit({ text, flags: {}, ground: createGround(context, flags) });
  return demandSettled(settled, flags.config, context).init.bootstrapTokens;
}

function entryOf(token: string | undefined, flags: TokenCreateFlags): BootstrapTokenEntry {
  const { ttl, usages, groups, description } = flags;
  return {
    ...defaultTokenEntry,
    token: token ?? '',
    ...(ttl === undefined ? {} : { ttl }),
    ...(usages === undefined ? {} : { usages }),
    ...(groups === undefined ? {} : { groups }),
    ...(description === undefined ? {} : { description }),
  };
}

/** What a token is like comes from the file or from flags, never from both; kubeadm's rule. */
function checkMixed(token: string | undefined, flags: TokenCreateFlags): void {
  if (flags.config === undefined) return;
  const given = [
    ...(token === undefined ? [] : ['a token']),
    ...(['ttl', 'usages', 'groups', 'description'] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => `--${name}`),
    ...(flags.certificateKey === undefined ? [] : ['--certificate-key']),
  ];
  if (given.length > 0) throw usage(`give ${given.join(', ')} or --config, not both`);
}

function checkCertificateKey({ certificateKey, printJoinCommand }: TokenCreateFlags): void {
  if (certificateKey === undefined) return;
  if (printJoinCommand !== true) throw usage('--certificate-key needs --print-join-command');
  if (!/^[0-9a-f]{64}$/i.test(certificateKey)) {
    throw usage(
      '--certificate-key must be 64 hex digits, as `slipway certs certificate-key` prints',
    );
  }
}

function usage(message: string): UserError {
  const code: CliErrorCode = 'cli.usage';
  return new UserError(`create bootstrap token: ${message}`, { code });
}
