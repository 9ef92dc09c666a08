import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import { addConvert } from './convert-verb.ts';
import type { DiffFlags } from './diff.ts';
import type { PlanFlags } from './plan.ts';
import type { RenderFlags } from './render.ts';
import type { ValidateFlags } from './validate.ts';

/** Puts the commands that need no cluster below `machine-config`, whose short name is `mc`. */
export function addMachineConfigVerbs(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .alias('mc')
    .description('check, render, compare and plan machine configuration; the daemon of a host');
  addValidate(parent, context, setExitCode);
  addRender(parent, context, setExitCode);
  addDiff(parent, context, setExitCode);
  addPlan(parent, context, setExitCode);
  addExtract(parent, context, setExitCode);
  addConvert(parent, context, setExitCode);
  addExplain(parent, context);
}

const inputs = `
FILE is YAML or JSON with MachineConfigs, MachineConfigPools, a MachineConfiguration, Lists of them, or bare
Ignition, one document or several; - is the standard input.`;

function addValidate(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('validate')
    .description('tell everything that is wrong with files, where it is and what to do')
    .argument('<file...>', 'files to check; - is the standard input')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--strict', 'warnings fail as well')
    .addHelpText(
      'after',
      `${inputs}

Exit code: 0 all files are accepted, 3 at least one is not.

Examples:
  slipway machine-config validate examples/*.yaml
  kubectl get mc -o yaml | slipway mc validate --strict -o json -`,
    )
    .action(async (files: readonly string[], flags: ValidateFlags) => {
      const { validate } = await import('./validate.ts');
      setExitCode(await validate(files, flags, context));
    });
}

function addExplain(parent: Command, { output }: CommandContext): void {
  parent
    .command('explain')
    .description('explain the code of a finding: why it matters and what to do')
    .argument('<code>', 'as in error[CODE]; without its first word is enough for Ignition')
    .addHelpText('after', '\nExample:\n  slipway machine-config explain ignition.mode-special-bits')
    .action(async (code: string) => {
      const { explain } = await import('./explain.ts');
      explain(code, output);
    });
}

function addRender(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('render')
    .description('print the MachineConfig that the nodes of a pool would get')
    .argument('[file...]', 'files to render; - is the standard input')
    .requiredOption('--pool <name>', 'pool to render for')
    .option('--from-dir <directory>', 'render all *.yaml, *.yml and *.json of a directory')
    .option('--explain', 'tell on standard error who set each value and whom it overrides')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .addHelpText(
      'after',
      `${inputs}
A MachineConfigPool of that name among the files is used; else the pool is as installed, and a custom one
selects worker and its own role. 00-master and 00-worker are there as installed unless a file has them.

Exit code: 0 rendered, 3 refused.

Examples:
  slipway machine-config render --pool worker examples/99-worker-chrony.yaml
  slipway mc render --pool infra --from-dir ./configs --explain >rendered.yaml`,
    )
    .action(async (files: readonly string[], flags: RenderFlags) => {
      const { render } = await import('./render.ts');
      setExitCode(await render(files, flags, context));
    });
}

function addDiff(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('diff')
    .description('compare two configurations by what a host would see')
    .argument('<before>', 'file with one MachineConfig, or bare Ignition; - is the standard input')
    .argument('<after>', 'file to compare it with')
    .option('--show-secrets', 'show contents that are masked')
    .addHelpText(
      'after',
      `
Contents are decoded and compared line by line. Masked are the contents of files whose mode denies others to
read them, and of those whose path looks secret: words such as secret, password, token, private, credentials,
shadow, kubeconfig; names such as *.key, *.p12, id_*, auth.json. Units, SSH keys and kernel arguments are shown.
Colours only on a terminal, and not with NO_COLOR.

Exit code: 0 no difference, 1 a difference, 3 input that is refused.

Example:
  slipway machine-config diff old.yaml new.yaml`,
    )
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diff } = await import('./diff.ts');
      setExitCode(await diff(before, after, flags, context));
    });
}

function addPlan(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('plan')
    .description('tell what a change would do to a host: actions, drain, reboot')
    .requiredOption('--current <file>', 'what the host has: one MachineConfig, or bare Ignition')
    .requiredOption('--desired <file>', 'what it shall have')
    .option(
      '--policy <file>',
      'file with the MachineConfiguration (default: that of an installation)',
    )
    .option('--no-boot-loader', 'hosts have no boot loader that slipway can change')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText(
      'after',
      `
The spec of the policy counts, not its status. - is the standard input.

Exit code: 0 the plan can be carried out, 3 it cannot, or input is refused.

Example:
  slipway machine-config plan --current old.yaml --desired new.yaml --policy examples/00-policy.yaml`,
    )
    .action(async (flags: PlanFlags) => {
      const { plan } = await import('./plan.ts');
      setExitCode(await plan(flags, context));
    });
}

function addExtract(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('extract')
    .description('write the files that a host would get below a directory')
    .argument(
      '<rendered>',
      'file with one MachineConfig, or bare Ignition; - is the standard input',
    )
    .requiredOption('--to <directory>', 'directory to write to; it must be empty, or not exist')
    .addHelpText(
      'after',
      `
Files, unit files, drop-ins, masks and SSH keys (at /home/boot), with their modes. Owners are not set, and the
links that enable units are not made: systemd makes them on a host.

Exit code: 0 written, 3 refused; then nothing is written.

Example:
  slipway machine-config render --pool worker *.yaml | slipway mc extract - --to ./root`,
    )
    .action(async (file: string, flags: { to: string }) => {
      const { extract } = await import('./extract.ts');
      setExitCode(await extract(file, flags, context));
    });
}
