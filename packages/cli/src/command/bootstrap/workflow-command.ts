import { type Phase, phaseList, type Selection } from '@slipway/bootstrap';
import type { Command } from 'commander';
import { addFlags, type FlagValues, flagValues } from './workflow-flags.ts';

/** How a command was called. */
export type WorkflowCall = {
  readonly flags: FlagValues;
  /** Flags that the called command has; some settings are only looked for where they matter. */
  readonly known: ReadonlySet<string>;
  /** Words that are no flags: the endpoint of `join`. */
  readonly words: readonly string[];
  readonly selection: Selection;
};

export type WorkflowCommand<Data> = {
  readonly name: string;
  readonly description: string;
  /** Of the whole workflow, without those that every command has. */
  readonly flags: readonly string[];
  /** `[api-server-endpoint]`, for the command and for its phases with discovery; default none. */
  readonly word?: string;
  readonly phases: readonly Phase<Data>[];
  readonly run: (call: WorkflowCall) => Promise<void>;
};

/** Adds a workflow's command, and `phase` below it with one command for each phase of the tree. */
export function addWorkflow<Data>(program: Command, workflow: WorkflowCommand<Data>): void {
  const { name, description, flags, phases } = workflow;
  const command = program.command(name).description(description).enablePositionalOptions();
  addFlags(command, [...flags, 'skip-phases']);
  addAction(command, workflow, {});
  command.addHelpText(
    'after',
    `\nPhases, in the order in which they run:\n${indented(phaseList(phases))}`,
  );
  const group = command.command('phase').description(`run single phases of ${name}`);
  for (const phase of phases) addPhase(group, workflow, phase, []);
}

function addPhase<Data>(
  parent: Command,
  workflow: WorkflowCommand<Data>,
  phase: Phase<Data>,
  above: readonly string[],
): void {
  if (phase.hidden) return;
  const path = [...above, phase.name];
  const command = parent.command(phase.name).description(phase.description);
  for (const alias of phase.aliases ?? []) command.alias(alias);
  if (phase.phases === undefined) {
    addFlags(command, phase.flags ?? []);
    addAction(command, workflow, { only: path });
    return;
  }
  if (phase.allFlags !== undefined) {
    const all = command.command('all').description(`run all phases of ${path.join('/')}`);
    addFlags(all, phase.allFlags);
    addAction(all, workflow, { only: path });
  }
  for (const child of phase.phases) addPhase(command, workflow, child, path);
}

function addAction<Data>(
  command: Command,
  { word, run }: WorkflowCommand<Data>,
  selection: Selection,
): void {
  const isWhole = selection.only === undefined;
  const known = new Set(command.options.map((option) => option.name()));
  if (word !== undefined && (isWhole || known.has('discovery-file'))) command.argument(word);
  command.allowExcessArguments(false).action(async () => {
    const flags = flagValues(command);
    const skip = flags['skip-phases'];
    await run({
      flags,
      known,
      words: command.args,
      selection: { ...selection, ...(Array.isArray(skip) ? { skip } : {}) },
    });
  });
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
