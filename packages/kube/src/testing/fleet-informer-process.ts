/** Child process of the informer bench: caches the fleet at an address, then tells what it cost. */
import { nodes } from '@slipway/api';
import { silentLogger, systemClock } from '@slipway/base';
import { createKubeClient } from '../client/create-kube-client.ts';
import { createInformer } from '../informer/create-informer.ts';
import { testPem } from './scripted-api-server.ts';

const [server = '', size = '0', lastChange = '0'] = process.argv.slice(2);
const client = createKubeClient({ server, certificateAuthority: { pem: testPem('ca') } });
const informer = createInformer(
  client,
  {
    resource: nodes,
    // What the operator does too: it never reads images.
    transform: (node) => {
      const { images: _dropped, ...status } = { images: undefined, ...node.status };
      return { ...node, status };
    },
  },
  { clock: systemClock, logger: silentLogger },
);
const begun = performance.now();
const changed = Promise.withResolvers<void>();
informer.onChange(({ after }) => {
  if (after?.metadata?.resourceVersion === lastChange) changed.resolve();
});
await informer.start();
const syncMs = performance.now() - begun;
await changed.promise;
if (informer.list().length !== Number(size)) throw new Error('cache fleet: nodes are missing');
process.send?.({ rssMib: process.memoryUsage.rss() / 1024 / 1024, syncMs });
await informer.stop();
client.close();
process.disconnect();
