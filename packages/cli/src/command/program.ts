import { UserError } from '@slipway/base';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Environment } from '../environment.ts';
import type { CliErrorCode } from '../errors.ts';
import type { Output } from '../output.ts';
import type { UpFlags } from '../up/settings.ts';
import { version } from '../version.ts';
import { argumentWords } from './argument-words.ts';
import { addCertificatesCommand } from './bootstrap/certificates-command.ts';
import { addConfigCommand } from './bootstrap/config-command.ts';
import { addKubeconfigCommand } from './bootstrap/kubeconfig-command.ts';
import { addPreflightCommand } from './bootstrap/preflight-command.ts';
import { addTokenCommand } from './bootstrap/token-command.ts';
import { addUpgradeCommand } from './bootstrap/upgrade-command.ts';
import { withMachineFlags, withoutRoot } from './command-flags.ts';
import { allCommands, childNamed, commandPath } from './command-tree.ts';
import { type CompletedShell, completedShells, completionScript } from './completion-script.ts';
import { insteadOfCommand, insteadOfFlag } from './former-words.ts';
import { addMachineConfigVerbs } from './machine-config/verbs.ts';
import { UsageError } from './usage-error.ts';
import { printVersion, type VersionFormat } from './version.ts';

/** What every command gets. */
export type CommandContext = { readonly output: Output; readonly environment: Environment };

/**
 * Runs the command that `argv` names and gives its exit code. What a command needs is loaded when it
 * runs, so that `slipway version` pays for nothing else.
 */
export async function runProgram(
  argv: readonly string[],
  context: CommandContext,
): Promise<number> {
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  const program = createProgram(context, setExitCode, await workflowsFor(argv));
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  let words = argv;
  try {
    words = argumentWords(program, argv);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    const command = commandNamed(program, words);
    if (!(error instanceof CommanderError)) throw withOwnHelp(error, command);
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') {
      // A group of commands was named and none of its commands.
      command.outputHelp();
      return 0;
    }
    const remedy = insteadOf(error, words) ?? ownHelp(command);
    throw new UsageError(error.message.replace(/^error: /, ''), remedy);
  }
}

/** What to use instead of a word that earlier kubeadms had. */
function insteadOf(
  { code, message }: CommanderError,
  words: readonly string[],
): string | undefined {
  if (code === 'commander.unknownCommand') return insteadOfCommand(words);
  const [, flag = ''] = /'(-[^']*)'/.exec(message) ?? [];
  return code === 'commander.unknownOption' ? insteadOfFlag(flag) : undefined;
}

/** A usage error that a command itself found, with the help of that command for its remedy. */
function withOwnHelp(error: unknown, command: Command): unknown {
  const usage: CliErrorCode = 'cli.usage';
  const isUsage = error instanceof UserError && error.code === usage;
  return isUsage ? new UsageError(error.message, ownHelp(command)) : error;
}

function ownHelp(command: Command): string {
  return `see \`${commandPath(command)} --help\``;
}

type AddWorkflows = (program: Command, context: CommandContext) => void;

/** Workflows that prepare and undo a node; each is a tree of phases with a command for each. */
const workflows: ReadonlyMap<string, string> = new Map([
  ['init', 'make this machine the first control plane of a new cluster'],
  ['join', 'make this machine a node of a cluster'],
  ['reset', 'undo what init or join did to this machine'],
]);

/** Their trees are loaded when one of them, or all, are asked for: else only their names are paid for. */
async function workflowsFor(argv: readonly string[]): Promise<AddWorkflows> {
  if (argv.some((word) => workflows.has(word) || word === 'completion')) {
    const { addBootstrapWorkflows } = await import('./bootstrap/workflows.ts');
    return (program, context) => addBootstrapWorkflows(program, context, workflows);
  }
  return (program) => {
    for (const [name, description] of workflows) program.command(name).description(description);
  };
}

/** The innermost command that the first words name. */
function commandNamed(parent: Command, [word = '', ...rest]: readonly string[]): Command {
  const named = childNamed(parent, word);
  return named === undefined ? parent : commandNamed(named, rest);
}

/** Commands of the product that this version does not have: refused by name, not as misspelt. */
function addLater(program: Command): void {
  for (const name of ['install']) {
    program
      .command(name, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        const code: CliErrorCode = 'cli.not-in-this-version';
        throw new UserError(`run ${name}: not in slipway ${version}`, { code });
      });
  }
}

function createProgram(
  context: CommandContext,
  setExitCode: (code: number) => void,
  addWorkflows: AddWorkflows,
): Command {
  const { output } = context;
  const program = new Command('slipway')
    .description(
      'Builds Kubernetes clusters on your own machines and keeps them in their declared state.',
    )
    .version(version, '--version', 'print the version number')
    .helpCommand('help [command]', 'print the help of a command')
    // A flag after the name of a phase is the phase's, although the whole workflow has it too.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.line(text.trimEnd()),
      // The message comes back as an error and is reported once, with its code.
      writeErr: () => undefined,
    });
  addVersion(program, context);
  addCompletion(program, context);
  addUp(program, context, setExitCode);
  addDemo(program, context, setExitCode);
  addWorkflows(program, context);
  addCertificatesCommand(program, context);
  addConfigCommand(program, context, setExitCode);
  addKubeconfigCommand(program, context);
  addPreflightCommand(program, context);
  addTokenCommand(program, context);
  addUpgradeCommand(program, context);
  addLater(program);
  addHostPrograms(program, context, setExitCode);
  for (const command of allCommands(program)) command.copyInheritedSettings(program);
  return program;
}

function addVersion(program: Command, { output }: CommandContext): void {
  withMachineFlags(program.command('version'), withoutRoot)
    .description('print the version of slipway and of its runtime')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['text', 'short', 'json', 'yaml'])
        .default('text'),
    )
    .action((options: { output: VersionFormat }) => printVersion(output, options.output));
}

function addCompletion(program: Command, { output }: CommandContext): void {
  withMachineFlags(program.command('completion'), withoutRoot)
    .description('print the shell code that completes commands and flags')
    .addArgument(new Argument('<shell>', 'shell to print it for').choices(completedShells))
    .addHelpText('after', '\nExamples:\n  source <(slipway completion bash)')
    .action((shell: CompletedShell) => {
      output.line(completionScript(program, shell));
    });
}

/**
 * A cluster in one process has a heap per host: they must not each reserve for speed, nor compile what
 * is not hot. Worth 50 MiB with six hosts; costs the 25 ms of a second start.
 */
const smallHeap = {
  flags: ['--optimize-for-size', '--max-semi-space-size=1', '--no-sparkplug', '--no-maglev'],
  variables: { MALLOC_ARENA_MAX: '1' },
};

function addUp(
  program: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  program
    .command('up')
    .description('run a cluster to try slipway on: embedded API server, operator and hosts')
    .option('--nodes <count>', 'worker hosts (default: 3, or as many as there were)', count(0, 50))
    .option(
      '--control-planes <count>',
      'control-plane hosts (default: 1, or as many as there were)',
      count(1, 7),
    )
    .option('--data <directory>', 'where the cluster is kept (default: $XDG_STATE_HOME/slipway/up)')
    .option(
      '--port <number>',
      'port of the API server (default: as last time, else 6443, else a free one)',
      count(1, 65_535),
    )
    .option(
      '--kubeconfig <file>',
      "where the administrator's kubeconfig goes (default: <data>/admin.conf)",
    )
    .addOption(
      new Option(
        '--hosts <kind>',
        'simulated: no root needed; nspawn: systemd-nspawn machines',
      ).choices(['simulated', 'nspawn']),
    )
    .action(async (flags: UpFlags) => {
      context.environment.restartWith(smallHeap.flags, smallHeap.variables);
      const { up } = await import('../up/up.ts');
      setExitCode(await up(flags, context));
    });
}

function addDemo(
  program: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  program
    .command('demo')
    .description('a guided tour of about a minute: rollout, drift and the way back')
    .option('--keep', 'do not remove the data directory at the end')
    .action(async (flags: { keep?: boolean }) => {
      const { demo } = await import('../demo/demo.ts');
      setExitCode(await demo({ keep: flags.keep === true }, context));
    });
}

function addHostPrograms(
  program: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  const machineConfig = program
    .command('machine-config')
    .description('programs of machine configuration');
  addMachineConfigVerbs(machineConfig, context, setExitCode);
  machineConfig
    .command('daemon')
    .description('the agent that keeps this host in its declared state; runs as root')
    .requiredOption('--node-name <name>', 'name of the Node of this host')
    .option('--root <directory>', 'where the file system of the host is mounted', '/')
    .action(async (flags: { nodeName: string; root: string }) => {
      const { runDaemon } = await import('../host-program/run-daemon.ts');
      setExitCode(await runDaemon(flags, context));
    });
  program
    .command('kubelet-stand-in', { hidden: true })
    .description('joins this host to a try cluster and plays its kubelet; never for production')
    .requiredOption('--config <file>', 'what to join, as JSON')
    .action(async (flags: { config: string }) => {
      const { runKubeletStandIn } = await import('../host-program/run-kubelet-stand-in.ts');
      setExitCode(await runKubeletStandIn(flags, context));
    });
}

/** Parser of a whole number within bounds. */
function count(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
