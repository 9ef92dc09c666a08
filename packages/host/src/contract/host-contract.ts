import { suite, test } from 'node:test';
import type { Host } from '../host.ts';
import { Bench } from './contract-case.ts';
import { definitionCases } from './definition-cases.ts';
import { hostCases } from './host-cases.ts';
import { jobCases } from './job-cases.ts';
import { linkCases } from './link-cases.ts';

/** A host to run the contract on, as root of that host. */
export type ContractHost = AsyncDisposable & { readonly host: Host };

const chapters = {
  host: hostCases,
  'unit definitions': definitionCases,
  'unit links': linkCases,
  jobs: jobCases,
};

/**
 * The one contract of all hosts: what the simulated host claims, a real systemd has to confirm.
 * `factory` is called for each case; it may return the same machine each time.
 */
export function describeHostContract(name: string, factory: () => Promise<ContractHost>): void {
  for (const [chapter, cases] of Object.entries(chapters)) {
    suite(`${name}: ${chapter}`, () => {
      for (const { name: rule, run } of cases) {
        test(rule, async () => {
          await using contracted = await factory();
          const bench = new Bench(contracted.host);
          try {
            await run(bench);
          } finally {
            await bench.cleanUp();
          }
        });
      }
    });
  }
}
