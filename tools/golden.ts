import { runStep } from './run-step.ts';

/**
 * `npm run golden`: runs the tests with `SLIPWAY_GOLDEN=write`, which makes those that compare with a
 * golden file write it instead. Look at the diff: it is the change of behaviour.
 * `npm run golden -- kubeadm [VERSION…] [NAME…]` records the real kubeadm instead (root and Go).
 */
const [first, ...rest] = process.argv.slice(2);
process.exit(
  first === 'kubeadm'
    ? runStep([process.execPath, 'tools/record-kubeadm.ts', ...rest])
    : runStep([process.execPath, 'tools/test.ts', ...process.argv.slice(2)], {
        SLIPWAY_GOLDEN: 'write',
      }),
);
