import { execFile } from 'node:child_process';
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSimulatedHost } from '@slipway/host';
import { spec } from './testkit/configs.ts';
import { NodeFixture } from './testkit/node-fixture.ts';
import { runUpdate } from './testkit/update-bench.ts';

export type Figure = { readonly name: string; readonly value: number; readonly unit: string };

const run = promisify(execFile);

/** A change of 100 files against the bare loop, drift seen and said, and a daemon at rest. */
export async function bench(): Promise<readonly Figure[]> {
  return [...(await benchUpdate()), ...(await benchDrift()), ...(await benchIdle())];
}

const files = (text: string) =>
  Array.from({ length: 100 }, (_, index) => ({ path: `/etc/bench/${index}.conf`, text }));

/** The best of three of each, taken in turn: both pay for the same disk. */
async function benchUpdate(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
  const host = await createSimulatedHost({ directory, name: 'bench', onReboot: () => undefined });
  await host.powerOn();
  await runUpdate(host, 'config-0', spec({ files: files('a'.repeat(2000)) }));
  let updateMs = Number.POSITIVE_INFINITY;
  let bareMs = Number.POSITIVE_INFINITY;
  for (let turn = 1; turn <= 3; turn += 1) {
    const text = String(turn).repeat(2000);
    updateMs = Math.min(
      updateMs,
      await timed(() => runUpdate(host, `config-${turn}`, spec({ files: files(text) }))),
    );
    bareMs = Math.min(bareMs, await timed(() => bareLoop(directory, text)));
  }
  await rm(directory, { recursive: true });
  return [
    { name: 'daemon.update_100_files_ms', value: Math.round(updateMs), unit: 'ms' },
    { name: 'daemon.update_100_files_ratio', value: updateMs / bareMs, unit: 'x' },
  ];
}

/** Write, sync, rename, sync the folder: what any atomic writer has to do. */
async function bareLoop(directory: string, text: string): Promise<void> {
  for (let index = 0; index < 100; index += 1) {
    const path = join(directory, `bare-${index}`);
    await using file = await open(`${path}.new`, 'w');
    await file.writeFile(text);
    await file.sync();
    await rename(`${path}.new`, path);
    await using folder = await open(directory, 'r');
    await folder.sync();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function benchDrift(): Promise<readonly Figure[]> {
  await using node = await NodeFixture.create();
  await node.start();
  await node.roll('drift', spec({ files: files('declared\n') }));
  await node.untilDone('drift');
  const samples: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    const path = join(node.host.rootPath, `etc/bench/${index}.conf`);
    const recorded = node.untilDegraded();
    samples.push(
      await timed(async () => {
        await writeFile(path, 'changed\n');
        await recorded;
      }),
    );
    await writeFile(path, 'declared\n');
    await node.untilDone('drift');
  }
  const sorted = samples.toSorted((a, b) => a - b);
  return [{ name: 'daemon.drift_recorded_p99_ms', value: Math.round(sorted[98] ?? 0), unit: 'ms' }];
}

/** The program runs as it ships: bundled, and with a small young generation. */
async function benchIdle(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-idle-'));
  const entry = fileURLToPath(new URL('testkit/idle-daemon-process.ts', import.meta.url));
  const banner =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  const form = [
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--out-extension:.js=.mjs',
    `--banner:js=${banner}`,
  ];
  await run('npx', [
    '--no-install',
    'esbuild',
    entry,
    ...form,
    '--log-level=error',
    `--outdir=${folder}`,
  ]);
  const program = join(folder, 'idle-daemon-process.mjs');
  const { stdout } = await run(process.execPath, ['--max-semi-space-size=1', program]);
  await rm(folder, { recursive: true });
  const { pssMib, cpuPercent, requests } = JSON.parse(stdout);
  return [
    { name: 'daemon.idle_pss_mib', value: Math.round(pssMib), unit: 'MiB' },
    { name: 'daemon.idle_cpu_percent', value: cpuPercent, unit: '%' },
    { name: 'daemon.idle_requests', value: requests, unit: '1' },
  ];
}
