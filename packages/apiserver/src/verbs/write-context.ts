import type { User } from '../contract.ts';

/** What accompanies a write from the request to the answer. */
export type WriteContext = {
  readonly user: User;
  readonly dryRun: boolean;
  /** Collects what goes out as `Warning:` headers. */
  readonly warnings: string[];
  /** CreateOptions, UpdateOptions or DeleteOptions for admission. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** The server itself. */
export const serverUser: User = { name: 'system:apiserver', groups: ['system:masters'] };
