import {
  agreeOnAddons,
  certificateKey,
  createInitClusterAccess,
  endRun,
  type InitData,
  initPhases,
  KeyStock,
  kubernetesPaths,
  refuseRootless,
  runWorkflow,
  settleInit,
} from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import { findKubeconfig } from './cluster-access.ts';
import { demandSettled } from './demand-settled.ts';
import { directoryOf } from './directory-flag.ts';
import {
  asSettings,
  type OpenedWorkflow,
  openDryRun,
  openWorkflow,
  textOf,
} from './open-workflow.ts';
import { openPatches } from './patches.ts';
import type { WorkflowCall } from './workflow-command.ts';

/** `slipway init`, and `slipway init phase …`. */
export async function runInit(call: WorkflowCall, context: CommandContext): Promise<void> {
  const opened = await openWorkflow(call, context);
  const { ground, reporter, text, source } = opened;
  const { selection } = call;
  const given = demandSettled(
    await settleInit({ text, flags: asSettings(call.flags), ground }),
    source,
    context,
  );
  const skipped = selection.skip ?? given.init.skipPhases;
  const { settings, skipPhases } = agreeOnAddons(given, skipped);
  const isWhole = selection.only === undefined;
  // Known from the start: nothing is made that the run could not end with.
  if (isWhole) refuseRootless(settings.cluster, 'the control plane');
  const isDryRun = settings.init.dryRun;
  const dryRun = isDryRun ? await openDryRun(opened, 'init') : undefined;
  if (isWhole) reporter.phase('init', `Kubernetes ${settings.cluster.kubernetesVersion}`);
  const data = await initData({ ...opened, ground: dryRun?.ground ?? ground }, call, context, {
    settings,
    machineGround: ground,
  });
  try {
    await runWorkflow({
      phases: initPhases,
      selection: { ...selection, skip: isWhole ? skipPhases : [] },
      data,
      reporter,
      signal: context.environment.interrupted,
      ...(dryRun === undefined ? {} : { afterPhase: dryRun.afterPhase }),
    });
    if (isWhole && !isDryRun) await endRun(ground.files, 'init');
  } finally {
    data.access.close();
    await dryRun?.end();
  }
}

type Known = Pick<InitData, 'settings' | 'machineGround'>;

async function initData(
  { ground, reporter, groundFlags }: OpenedWorkflow,
  { flags }: WorkflowCall,
  context: CommandContext,
  known: Known,
): Promise<InitData> {
  const { settings } = known;
  const isDryRun = settings.init.dryRun;
  const signal = context.environment.interrupted;
  const kubeconfig = textOf(flags, 'kubeconfig');
  const kubeconfigDirectory = directoryOf(
    '--kubeconfig-dir',
    textOf(flags, 'kubeconfig-dir') ?? kubernetesPaths.directory,
  );
  const isOther = kubeconfig !== undefined && kubeconfig !== kubernetesPaths.adminKubeconfig;
  const other = isOther
    ? (await findKubeconfig(context, { ...groundFlags, kubeconfig })).kubeconfig
    : undefined;
  let madeKey: string | undefined;
  return {
    ...known,
    ground,
    reporter,
    signal,
    options: {
      isDryRun,
      uploadCertificates: flags['upload-certs'] === true,
      skipTokenPrint: flags['skip-token-print'] === true,
      skipCertificateKeyPrint: flags['skip-certificate-key-print'] === true,
      kubeconfig: kubeconfig ?? kubernetesPaths.adminKubeconfig,
      kubeconfigDirectory,
      printManifest: flags['print-manifest'] === true,
    },
    access: createInitClusterAccess({
      settings,
      ground,
      reporter,
      isDryRun,
      signal,
      ...(other === undefined ? {} : { other }),
    }),
    keys: new KeyStock(settings),
    certificateKey: () => {
      madeKey ??= settings.init.certificateKey ?? certificateKey();
      return madeKey;
    },
    patches: await openPatches(settings.init.patches?.directory, groundFlags, context),
    grantOperator: async (administrator) => {
      const { applyOperatorAccess } = await import('@slipway/operator');
      await applyOperatorAccess(administrator, 'slipway-operator');
    },
  };
}
