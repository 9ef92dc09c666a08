import { describeError } from '@slipway/base';
import {
  createClusterTrust,
  demandPreflight,
  type Ground,
  hasPreflightErrors,
  initChecks,
  type JoinConfiguration,
  joinChecks,
  joinedChecks,
  knownReleases,
  listKnownNodes,
  type PreflightFinding,
  preflightObject,
  type Reporter,
  reportPreflight,
  resetChecks,
  runPreflight,
  settleInit,
  settleJoin,
  settleReset,
  settleUpgrade,
  upgradeChecks,
  yamlText,
} from '@slipway/bootstrap';

import type { CommandContext } from '../program.ts';
import { demandSettled } from './demand-settled.ts';
import { asSettings, type OpenedWorkflow, openWorkflow, textOf } from './open-workflow.ts';
import type { FlagValues } from './workflow-flags.ts';

export type PreflightCommandName = 'init' | 'join' | 'upgrade' | 'reset';

export type PreflightCall = {
  readonly name: PreflightCommandName;
  readonly flags: FlagValues;
  readonly words: readonly string[];
  readonly format: 'text' | 'json' | 'yaml';
};

type Found = readonly PreflightFinding[];

/**
 * `slipway preflight …`: the checks of a command and nothing else.
 * @throws PreflightError `bootstrap.preflight.failed`, after everything was told
 */
export async function runPreflightCommand(
  call: PreflightCall,
  context: CommandContext,
): Promise<void> {
  const opened = await openWorkflow(
    { flags: call.flags, words: call.words, known: new Set(), selection: {} },
    context,
  );
  const reporter = call.format === 'text' ? opened.reporter : onlyProblems(context);
  tellMachine(opened, reporter);
  const findings = await runners[call.name](call, { ...opened, reporter }, context);
  if (call.format === 'text') tellText(findings, reporter);
  else context.output.line(formatted(call, findings));
  demandPreflight(findings);
}

/** A form for programs holds nothing but the answer. */
function onlyProblems({ output }: CommandContext): Reporter {
  const problem = (text: string) => output.problem(text);
  return { phase: (phase, text) => problem(`[${phase}] ${text}`), problem, line: () => undefined };
}

function tellMachine({ ground, groundFlags }: OpenedWorkflow, reporter: Reporter): void {
  if (ground.run !== undefined) return;
  reporter.phase(
    'preflight',
    `files are those of ${groundFlags.rootfs}; ports, processors, memory and kernel those of this machine`,
  );
}

function tellText(findings: Found, reporter: Reporter): void {
  reportPreflight(findings, reporter);
  const count = (level: string) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return `${length} ${level}${length === 1 ? '' : 's'}`;
  };
  reporter.phase('preflight', `${count('error')}, ${count('warning')}`);
}

function formatted({ name, format }: PreflightCall, findings: Found): string {
  const object = preflightObject(name, findings);
  return format === 'json' ? JSON.stringify(object, null, 2) : yamlText(object).trimEnd();
}

type Runner = (
  call: PreflightCall,
  opened: OpenedWorkflow,
  context: CommandContext,
) => Promise<Found>;

const runners: Readonly<Record<PreflightCommandName, Runner>> = {
  init: async ({ flags }, { ground, text, source }, context) => {
    const order = { text, flags: asSettings(flags), ground };
    const settings = demandSettled(await settleInit(order), source, context);
    const ignore = settings.init.nodeRegistration.ignorePreflightErrors;
    return await runPreflight(initChecks(settings), request(ground, ignore, context));
  },
  join: checkJoin,
  upgrade: async ({ flags }, { ground, text, source }, context) => {
    const upgrade = demandSettled(
      settleUpgrade({ text, flags: asSettings(flags) }),
      source,
      context,
    );
    const { ignorePreflightErrors, kubernetesVersion } = upgrade.apply;
    const checks = upgradeChecks({
      criSocket: textOf(flags, 'cri-socket') ?? (await socketOf(ground)),
      kubernetesVersion: kubernetesVersion ?? knownReleases.at(-1) ?? '',
    });
    return await runPreflight(checks, request(ground, ignorePreflightErrors, context));
  },
  reset: async ({ flags }, { ground, text, source }, context) => {
    const order = { text, flags: asSettings(flags), ground };
    const { ignorePreflightErrors } = demandSettled(await settleReset(order), source, context);
    return await runPreflight(resetChecks, request(ground, ignorePreflightErrors, context));
  },
};

async function checkJoin(
  { flags, words }: PreflightCall,
  opened: OpenedWorkflow,
  context: CommandContext,
): Promise<Found> {
  const { ground, text, source } = opened;
  const [endpoint] = words;
  const given = { ...asSettings(flags), ...(endpoint === undefined ? {} : { endpoint }) };
  const join = demandSettled(await settleJoin({ text, flags: given, ground }), source, context);
  const { ignorePreflightErrors } = join.nodeRegistration;
  const asked = request(ground, ignorePreflightErrors, context);
  const first = await runPreflight(joinChecks(join), asked);
  // Whoever may not do anything is told so and nothing else.
  if (hasPreflightErrors(first.filter(({ name }) => name === 'IsPrivilegedUser'))) return first;
  return [...first, ...(await checkJoined(join, opened, context))];
}

/** What depends on the cluster. One that cannot be reached is a finding: `join` would fail there. */
async function checkJoined(
  join: JoinConfiguration,
  { ground, reporter }: OpenedWorkflow,
  context: CommandContext,
): Promise<Found> {
  const signal = context.environment.interrupted;
  const trust = createClusterTrust({ join, ground, reporter, signal });
  try {
    const settings = await trust.settings();
    const { cluster } = await trust.discovered();
    const checks = joinedChecks({
      join,
      settings,
      apiServerEndpoint: new URL(cluster.server).host,
      knownNodes: async () => await listKnownNodes(await trust.bootstrapClient()),
    });
    const { ignorePreflightErrors } = join.nodeRegistration;
    return await runPreflight(checks, request(ground, ignorePreflightErrors, context));
  } catch (error) {
    if (signal.aborted) throw error;
    const fix =
      'take the command to join from a control plane: slipway token create --print-join-command';
    const finding = { level: 'error' as const, message: describeError(error), fix };
    const { ignorePreflightErrors } = join.nodeRegistration;
    return await runPreflight(
      [{ name: 'Discovery', run: async () => [finding] }],
      request(ground, ignorePreflightErrors, context),
    );
  } finally {
    trust.close();
  }
}

/** The socket that this node's kubelet uses is found as for a new node: by what there is. */
async function socketOf(ground: Ground): Promise<string> {
  const { value } = await settleReset({ ground });
  return value?.criSocket ?? '';
}

function request(ground: Ground, ignore: readonly string[], { environment }: CommandContext) {
  return { ground, ignore, signal: environment.interrupted };
}
