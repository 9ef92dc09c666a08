import { createRealHost } from '../real-host.ts';
import { describeHostContract } from './host-contract.ts';

/**
 * Started inside a machine with a real systemd: the contract against the host as the daemon uses it.
 * With `reboot` as its argument it asks for a reboot instead and waits to be ended.
 */
if (process.argv[2] === 'reboot') {
  await createRealHost().boot.reboot('the contract suite wants to see one');
  setInterval(() => undefined, 1 << 30);
} else {
  const host = createRealHost();
  describeHostContract('real host', async () => ({
    host,
    [Symbol.asyncDispose]: async () => undefined,
  }));
}
