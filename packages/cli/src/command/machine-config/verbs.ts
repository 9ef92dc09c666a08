import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
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
