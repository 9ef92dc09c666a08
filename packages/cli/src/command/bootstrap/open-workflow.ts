import { UserError } from '@slipway/base';
import {
  createDryRunFiles,
  type DryRunCommand,
  type DryRunFiles,
  flagsMixedWithConfig,
  type Ground,
  makeDryRunFolder,
  type Reporter,
  reportFileChanges,
} from '@slipway/bootstrap';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { createGround, type GroundFlags } from './ground.ts';
import { readInput } from './input-file.ts';
import { createReporter } from './reporter.ts';
import type { WorkflowCall } from './workflow-command.ts';
import type { FlagValues } from './workflow-flags.ts';

/** What every workflow command begins with. */
export type OpenedWorkflow = {
  /** The machine, or the folder of `--rootfs`. */
  readonly ground: Ground;
  readonly reporter: Reporter;
  readonly groundFlags: GroundFlags;
  /** Text of `--config`. */
  readonly text: string | undefined;
  /** Where settings come from, for messages. */
  readonly source: string;
};

/**
 * Checks which flags go together and reads `--config`.
 * @throws UserError `cli.usage`, `cli.bootstrap.input`, `cli.bootstrap.rootfs`
 */
export async function openWorkflow(
  { flags }: WorkflowCall,
  context: CommandContext,
): Promise<OpenedWorkflow> {
  const mixed = flagsMixedWithConfig(Object.keys(flags));
  if (mixed.length > 0) {
    const code: CliErrorCode = 'cli.usage';
    const names = mixed.map((name) => `--${name}`).join(', ');
    throw new UserError(`mix flags with --config: the file is to say it instead of ${names}`, {
      code,
    });
  }
  const groundFlags: GroundFlags = {
    ...(typeof flags['rootfs'] === 'string' ? { rootfs: flags['rootfs'] } : {}),
    ...(typeof flags['v'] === 'number' ? { v: flags['v'] } : {}),
  };
  const ground = createGround(context, groundFlags);
  const file = textOf(flags, 'config');
  const text =
    file === undefined ? undefined : await readInput(context, groundFlags, '--config', file);
  return {
    ground,
    reporter: createReporter(context.output),
    groundFlags,
    text,
    source: file ?? 'flags',
  };
}

/** The ground of a dry run, and how its changes are told. */
export type DryRun = {
  /** To be called at the end, whatever it is. */
  readonly end: () => Promise<void>;
  readonly ground: Ground;
  readonly afterPhase: () => Promise<void>;
};

/** Redirects everything that `command` writes into the folder of its dry run. */
export async function openDryRun(
  { ground, reporter }: OpenedWorkflow,
  command: DryRunCommand,
): Promise<DryRun> {
  const folder = await makeDryRunFolder(ground, command);
  reporter.phase('dryrun', `everything is written to ${folder} and nowhere else`);
  const files = createDryRunFiles(ground.files, folder);
  return {
    ...overlay(ground, reporter, files),
    // A run that was refused leaves nothing; what is in the folder keeps it.
    end: async () => void (await ground.files.removeDirectory(folder)),
  };
}

/** A dry run that writes nothing at all, only removes. */
export function openRemovingDryRun({ ground, reporter }: OpenedWorkflow): DryRun {
  const files = createDryRunFiles(ground.files, '/nowhere');
  return { ...overlay(ground, reporter, files), end: async () => undefined };
}

function overlay(ground: Ground, reporter: Reporter, files: DryRunFiles): Omit<DryRun, 'end'> {
  const { systemd: _, run: __, ...rest } = ground;
  return {
    ground: { ...rest, files },
    afterPhase: () => reportFileChanges(files, reporter),
  };
}

/** Value of a flag that takes text; undefined where it was not given. */
export function textOf(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** `cert-dir` as `certDir`: how settings name their flags. */
export function asSettings(flags: FlagValues): FlagValues {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [
      name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
