/** What the process was started with, as far as commands look at it. Only `main.ts` reads the process. */
export type Environment = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  /** `process.execPath`: the Node binary that runs this program. */
  readonly nodeBinary: string;
  /** File of the running program, source or bundle. */
  readonly entryPoint: string;
  readonly userId: number;
  /**
   * Replaces this process by the same command on a runtime with these flags and variables. Returns when
   * the runtime has the flags already, or where processes cannot be replaced.
   */
  readonly restartWith: (
    flags: readonly string[],
    variables: Readonly<Record<string, string>>,
  ) => void;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once.
   */
  readonly interrupted: AbortSignal;
};
