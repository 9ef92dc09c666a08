import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { runToEnd } from '../run-program.ts';
import type { BenchContext, Figure } from './version.bench.ts';

const deadlineMs = 60_000;

/** `slipway up` from the bundle in a directory of its own. */
type Running = { readonly data: string; readonly child: ChildProcess };

function start(program: string, flags: readonly string[]): Running {
  const data = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const child = spawn(process.execPath, [program, 'up', '--data', data, ...flags], {
    stdio: 'ignore',
  });
  return { data, child };
}

async function end({ data, child }: Running): Promise<void> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGINT');
  await closed;
  rmSync(data, { recursive: true, force: true });
}

async function until(what: string, probe: () => Promise<boolean>, pollMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await probe())) {
    if (performance.now() > deadline) throw new Error(`bench try: waited in vain for ${what}`);
    await systemClock.sleep(pollMs);
  }
}

async function kubectl(data: string, argv: readonly string[]): Promise<string | undefined> {
  const flags = [
    `--kubeconfig=${join(data, 'admin.conf')}`,
    `--cache-dir=${join(data, 'kubectl-cache')}`,
  ];
  const { code, stdout } = await runToEnd('kubectl', [...flags, ...argv]);
  return code === 0 ? stdout : undefined;
}

/** From the start of `slipway up` to the end of the first `kubectl get nodes` that succeeds. */
async function coldStart(program: string): Promise<Figure> {
  const started = performance.now();
  const running = start(program, []);
  try {
    await until(
      'kubectl get nodes',
      async () => (await kubectl(running.data, ['get', 'nodes'])) !== undefined,
      5,
    );
    const value = Math.round(performance.now() - started);
    return { name: 'try.cold_start_ms', value, unit: 'ms' };
  } finally {
    await end(running);
  }
}

/** Resident memory of the one process with six hosts, when all of them have settled. */
async function memory(program: string): Promise<Figure> {
  const running = start(program, ['--nodes', '5', '--control-planes', '1']);
  try {
    await until('six adopted hosts', () => isSettled(running.data, 6), 500);
    const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
    const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    return { name: 'try.rss_mib', value: Math.round(kibibytes / 1024), unit: 'MiB' };
  } finally {
    await end(running);
  }
}

async function isSettled(data: string, machines: number): Promise<boolean> {
  const path = '{range .items[*]}{.status.updatedMachineCount} {end}';
  const counts = await kubectl(data, ['get', 'machineconfigpool', '-o', `jsonpath=${path}`]);
  const updated = (counts ?? '').split(' ').reduce((sum, count) => sum + Number(count), 0);
  return updated === machines;
}

export async function bench({ program }: BenchContext): Promise<readonly Figure[]> {
  if ((await runToEnd('kubectl', ['version', '--client'])).code !== 0) {
    throw new Error('bench try: needs kubectl on the PATH');
  }
  return [await coldStart(program), await memory(program)];
}
