import { describeError, UserError } from '@slipway/base';
import {
  type ClusterConfiguration,
  fetchClusterSettings,
  kubernetesPaths,
  passPreflight,
  type ResetData,
  resetChecks,
  resetPhases,
  resetReminders,
  runWorkflow,
  settleReset,
} from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import { openCluster } from './cluster-access.ts';
import { confirm } from './confirm.ts';
import { demandSettled } from './demand-settled.ts';
import { rootOf } from './ground.ts';
import { mountPointsIn } from './mount-points.ts';
import {
  asSettings,
  type OpenedWorkflow,
  openRemovingDryRun,
  openWorkflow,
  textOf,
} from './open-workflow.ts';
import type { WorkflowCall } from './workflow-command.ts';

/** How long a cluster that may be gone is asked for its configuration. */
const askMs = 3_000;

/** `slipway reset`, and `slipway reset phase …`. */
export async function runReset(call: WorkflowCall, context: CommandContext): Promise<void> {
  const opened = await openWorkflow(call, context);
  const { ground, reporter, text, source, groundFlags } = opened;
  const { flags, selection } = call;
  const given = demandSettled(
    await settleReset({ text, flags: asSettings(flags), ground }),
    source,
    context,
  );
  const cluster = await findCluster(call, opened, context);
  const dryRun = given.dryRun ? openRemovingDryRun(opened) : undefined;
  const isWhole = selection.only === undefined;
  const signal = context.environment.interrupted;
  const data: ResetData = {
    reset: { ...given, certificatesDir: certificatesDirectory(call, given, cluster) },
    ground: dryRun?.ground ?? ground,
    reporter,
    isDryRun: given.dryRun,
    ...(cluster === undefined ? {} : { cluster }),
    confirm: (question) => confirm(question, context),
    preflight: () =>
      passPreflight(resetChecks, { ground, reporter, signal, ignore: given.ignorePreflightErrors }),
    mountPoints: () => mountPointsIn(rootOf(context, groundFlags)),
  };
  await runWorkflow({
    phases: resetPhases,
    selection: { ...selection, skip: selection.skip ?? (isWhole ? given.skipPhases : []) },
    data,
    reporter,
    signal,
    ...(dryRun === undefined ? {} : { afterPhase: dryRun.afterPhase }),
  });
  if (!isWhole) return;
  reporter.line();
  for (const line of resetReminders) reporter.line(line);
}

type Reset = ResetData['reset'];

/** The flag, the file, what the cluster says, the usual place: in this order. */
function certificatesDirectory(
  { flags }: WorkflowCall,
  { certificatesDir }: Reset,
  cluster: ClusterConfiguration | undefined,
): string {
  const isGiven =
    flags['cert-dir'] !== undefined || certificatesDir !== kubernetesPaths.certificates;
  return isGiven ? certificatesDir : (cluster?.certificatesDir ?? certificatesDir);
}

/** What the cluster knows of this node's etcd and certificates; it may not be there any more. */
async function findCluster(
  { flags }: WorkflowCall,
  { ground, reporter, groundFlags }: OpenedWorkflow,
  context: CommandContext,
): Promise<ClusterConfiguration | undefined> {
  const given = textOf(flags, 'kubeconfig');
  const path = given ?? kubernetesPaths.adminKubeconfig;
  if (given === undefined && (await ground.files.stat(path)) === undefined) return undefined;
  const signal = AbortSignal.any([context.environment.interrupted, AbortSignal.timeout(askMs)]);
  try {
    const client = await openCluster(context, { ...groundFlags, kubeconfig: path });
    try {
      const waiting = { clock: ground.clock, timeoutMs: askMs, signal };
      return (await fetchClusterSettings(client, waiting)).cluster;
    } finally {
      client.close();
    }
  } catch (error) {
    if (error instanceof UserError && given !== undefined) throw error;
    if (context.environment.interrupted.aborted) throw error;
    reporter.problem(`the cluster cannot be asked, going on without: ${describeError(error)}`);
    return undefined;
  }
}
