import { UserError } from '@slipway/base';
import {
  createClusterTrust,
  createDryRunTrust,
  endRun,
  type Ground,
  type JoinConfiguration,
  type JoinData,
  type JoinTrust,
  joinPhases,
  kubernetesPaths,
  runWorkflow,
  settleInit,
  settleJoin,
} from '@slipway/bootstrap';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { demandSettled } from './demand-settled.ts';
import { asSettings, type OpenedWorkflow, openDryRun, openWorkflow } from './open-workflow.ts';
import { openPatches } from './patches.ts';
import type { WorkflowCall } from './workflow-command.ts';

/** What kubeadm takes for a cluster that a dry run is told nothing of. */
const unknownCluster = {
  token: 'abcdef.abcdef0123456789',
  endpoint: '192.168.0.101:6443',
  discoveryTokenUnsafeSkipCaVerification: true,
};

/** `slipway join`, and `slipway join phase …`. */
export async function runJoin(call: WorkflowCall, context: CommandContext): Promise<void> {
  const opened = await openWorkflow(call, context);
  const { ground, reporter, text, source, groundFlags } = opened;
  const flags = await joinFlags(call, opened);
  const join = demandSettled(
    await settleJoin({ text, flags: flags.given, ground }),
    source,
    context,
  );
  const { selection } = call;
  const isWhole = selection.only === undefined;
  const dryRun = join.dryRun ? await openDryRun(opened, 'join') : undefined;
  const signal = context.environment.interrupted;
  const working = dryRun?.ground ?? ground;
  const trust = await openTrust(join, working, opened, { isTold: flags.isTold, signal });
  const data: JoinData = {
    join,
    ground: working,
    machineGround: ground,
    reporter,
    isDryRun: join.dryRun,
    trust,
    signal,
    patches: await openPatches(join.patches?.directory, groundFlags, context),
  };
  try {
    await runWorkflow({
      phases: joinPhases,
      selection: { ...selection, skip: selection.skip ?? (isWhole ? join.skipPhases : []) },
      data,
      reporter,
      signal,
      ...(dryRun === undefined ? {} : { afterPhase: dryRun.afterPhase }),
    });
    if (!isWhole) return;
    if (!join.dryRun) await endRun(ground.files, 'join');
    for (const line of outcome(join)) reporter.line(line);
  } finally {
    trust.close();
    await dryRun?.end();
  }
}

type GivenFlags = {
  readonly given: Parameters<typeof settleJoin>[0]['flags'] & object;
  /** False: a dry run that was told of no cluster. */
  readonly isTold: boolean;
};

async function joinFlags(
  { flags, words, known }: WorkflowCall,
  { text, ground }: OpenedWorkflow,
): Promise<GivenFlags> {
  const settings = asSettings(flags);
  const [endpoint] = words;
  const given = endpoint === undefined ? settings : { ...settings, endpoint };
  if (text !== undefined) return { given, isTold: true };
  if (!known.has('discovery-file')) {
    // A phase after discovery: the administrator's kubeconfig of this node leads to the cluster.
    const path = kubernetesPaths.adminKubeconfig;
    if ((await ground.files.stat(path)) === undefined) throw needsAdmin(path);
    return { given: { ...given, discoveryFile: path }, isTold: true };
  }
  const names = ['token', 'discovery-token', 'discovery-file', 'tls-bootstrap-token'];
  const isTold = endpoint !== undefined || names.some((name) => flags[name] !== undefined);
  if (isTold || flags['dry-run'] !== true) return { given, isTold: true };
  return { given: { ...given, ...unknownCluster }, isTold: false };
}

function needsAdmin(path: string): UserError {
  const code: CliErrorCode = 'cli.usage';
  return new UserError(
    `join phase: there is no ${path}; run \`slipway join phase control-plane-prepare all\` first`,
    { code },
  );
}

async function openTrust(
  join: JoinConfiguration,
  ground: Ground,
  { reporter, ground: machineGround }: OpenedWorkflow,
  { isTold, signal }: { readonly isTold: boolean; readonly signal: AbortSignal },
): Promise<JoinTrust> {
  if (!join.dryRun) return createClusterTrust({ join, ground, reporter, signal });
  return await createDryRunTrust({
    join,
    ground,
    reporter,
    signal,
    isTold,
    substitute: async () => {
      const { value } = await settleInit({ ground: machineGround });
      if (value === undefined) throw new TypeError('settle defaults: they are refused');
      return value.cluster;
    },
  });
}

function outcome(join: JoinConfiguration): readonly string[] {
  if (join.dryRun) return ['', 'The dry run has ended; nothing was changed.'];
  if (join.controlPlane === undefined) {
    return [
      '',
      'This node has joined the cluster. On a control plane, `kubectl get nodes` shows it.',
    ];
  }
  return [
    '',
    'This node has joined the cluster as a control plane.',
    '',
    'To use the cluster from here as a regular user:',
    '',
    '  mkdir -p $HOME/.kube',
    `  sudo cp -i ${kubernetesPaths.adminKubeconfig} $HOME/.kube/config`,
    '  sudo chown $(id -u):$(id -g) $HOME/.kube/config',
  ];
}
