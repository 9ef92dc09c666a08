import { runStep } from './run-step.ts';

/**
 * `npm run golden`: runs the tests with `SLIPWAY_GOLDEN=write`, which makes those that compare with a
 * golden file write it instead. Look at the diff: it is the change of behaviour.
 */
process.exit(
  runStep([process.execPath, 'tools/test.ts', ...process.argv.slice(2)], {
    SLIPWAY_GOLDEN: 'write',
  }),
);
