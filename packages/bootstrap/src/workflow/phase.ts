/**
 * One step of a workflow, as kubeadm cuts them: a leaf does something, a parent has sub-phases that
 * run in order. `Data` is what the whole workflow works on.
 */
export type Phase<Data> = {
  /** As in `--skip-phases` and `phase NAME`. */
  readonly name: string;
  /** Other names that the command line accepts. */
  readonly aliases?: readonly string[];
  /** One line for help. */
  readonly description: string;
  /** Runs, but is neither listed nor a command. */
  readonly hidden?: true;
  /** Flags of the command that runs this phase alone, without dashes. */
  readonly flags?: readonly string[];
  /** Phases before this one without which it makes no sense: skipping them and not this is refused. */
  readonly needs?: readonly string[];
  /** Why there is nothing to do; undefined: it runs. Told to the user. */
  readonly skipReason?: (data: Data) => string | undefined;
  readonly run?: (data: Data) => Promise<void>;
  readonly phases?: readonly Phase<Data>[];
  /** Flags of the sub-command `all`, which runs all sub-phases; absent: there is none. */
  readonly allFlags?: readonly string[];
};

/** A phase and its place: `['certs', 'ca']`. */
export type PlacedPhase<Data> = {
  readonly path: readonly string[];
  readonly phase: Phase<Data>;
};

/** Name of a phase as `--skip-phases` spells it: `certs/ca`. */
export function phaseName(path: readonly string[]): string {
  return path.join('/');
}
