import { readFile } from 'node:fs/promises';
import { spec } from './configs.ts';
import { NodeFixture } from './node-fixture.ts';

/** A daemon at rest with 100 managed files; prints what it holds and what it used, then ends. */
const files = Array.from({ length: 100 }, (_, index) => ({
  path: `/etc/bench/${index}.conf`,
  text: 'x'.repeat(4096),
}));
await using node = await NodeFixture.create();
await node.start();
await node.roll('idle', spec({ files }));
await node.untilDone('idle');
const idleMs = 10_000;
const before = process.cpuUsage();
const requests = node.client.requests.length;
await new Promise((resolve) => setTimeout(resolve, idleMs));
const { user, system } = process.cpuUsage(before);
const smaps = await readFile('/proc/self/smaps_rollup', 'utf8');
const pssKib = Number(/^Pss:\s+(\d+)/m.exec(smaps)?.[1] ?? 0);
process.stdout.write(
  JSON.stringify({
    pssMib: pssKib / 1024,
    cpuPercent: (user + system) / 10 / idleMs,
    requests: node.client.requests.length - requests,
  }),
);
