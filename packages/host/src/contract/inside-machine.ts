import { createRealHost } from '../real-host.ts';
import { describeHostContract } from './host-contract.ts';

/**
 * Started inside a machine with a real systemd: the contract against the host as the daemon uses it,
 * at the root given as its argument. With `reboot` instead it asks for a reboot and waits to be ended.
 */
const [, , argument = '/'] = process.argv;
if (argument === 'reboot') {
  await createRealHost().boot.reboot('the contract suite wants to see one');
  setInterval(() => undefined, 1 << 30);
} else {
  const host = createRealHost({ root: argument });
  describeHostContract(`real host at ${argument}`, async () => ({
    host,
    [Symbol.asyncDispose]: async () => undefined,
  }));
}
