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
   * Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once.
   */
  readonly interrupted: AbortSignal;
};
