import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import type { ConvertFlags } from './convert.ts';

/** Puts `convert` below `machine-config`. */
export function addConvert(
  parent: Command,
  context: CommandContext,
  setExitCode: (code: number) => void,
): void {
  parent
    .command('convert')
    .description('make objects of slipway of Ignition, Butane, or objects of OpenShift')
    .argument('<file...>', 'files to convert; - is the standard input')
    .addOption(
      new Option('--from <input>', 'what the files are')
        .choices(['auto', 'ignition', 'butane', 'openshift'])
        .default('auto'),
    )
    .option('--name <name>', 'name where the input has none (default: from the name of the file)')
    .option('--role <role>', 'role where the input has none (default: worker)')
    .option('--files-dir <directory>', 'where local files are that a Butane config names')
    .option('--strict', 'fail when anything has no counterpart')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .addHelpText(
      'after',
      `
FILE is YAML or JSON, one document or several: Ignition 2.0 to 2.4 and 3.0 to 3.6; Butane of variants fcos,
flatcar and openshift; MachineConfig, MachineConfigPool and MachineConfiguration of OpenShift, Lists of them.
Standard error tells what has no counterpart and is left out (warning), and what is different now (info).

Exit code: 0 converted, 3 refused, or with --strict something was left out; then nothing is printed.

Examples:
  slipway machine-config convert --name 99-worker-chrony chrony.ign >99-worker-chrony.yaml
  slipway mc convert --files-dir . *.bu
  oc get mc,mcp -o yaml | slipway mc convert --strict -`,
    )
    .action(async (files: readonly string[], flags: ConvertFlags) => {
      const { convert } = await import('./convert.ts');
      setExitCode(await convert(files, flags, context));
    });
}
