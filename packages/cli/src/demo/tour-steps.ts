import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineConfigNode } from '@slipway/api';
import {
  areAllSettled,
  type ClusterView,
  isPoolSettled,
  poolRow,
  stateOf,
} from './cluster-view.ts';
import {
  chronyConfig,
  chronyConfigName,
  chronyContent,
  chronyPath,
  disruptionPolicy,
} from './manifests.ts';
import { printYaml } from './print-yaml.ts';
import { expectView, followRollout, showCommand, type Tour } from './tour.ts';
import { stepFailed } from './wait-for-view.ts';

/** One station of the tour: says what it does, does it, and throws when it does not hold. */
export type TourStep = { readonly title: string; run(tour: Tour): Promise<void> };

function fileOn(tour: Tour, worker: string): string {
  return join(tour.cluster.hostRoot(worker), chronyPath);
}

async function readChrony(tour: Tour, worker: string): Promise<string> {
  return await readFile(fileOn(tour, worker), 'utf8').catch(() => '(no such file)');
}

/** Refuses when more than one worker is away at once: the pool allows one. */
function checkAvailability(view: ClusterView): void {
  const away = view.nodes.filter((node) => {
    const name = node.metadata?.name ?? '';
    return name.startsWith('worker-') && stateOf(view, name) !== 'done';
  });
  if (away.length > 1) {
    const names = away.map((node) => node.metadata?.name).join(', ');
    throw stepFailed('at most one worker at work at a time', names);
  }
}

async function expectContent(tour: Tour, content: string): Promise<void> {
  for (const worker of tour.workers) {
    const found = await readChrony(tour, worker);
    if (found !== content) throw stepFailed(`${chronyPath} of ${worker} as declared`, found);
  }
}

function driftOf(view: ClusterView, nodeName: string): MachineConfigNode['status'] {
  return view.machineConfigNodes.find((each) => each.metadata?.name === nodeName)?.status;
}

/** The tour, in order. `original` is what the workers' file held before. */
export function tourSteps(): readonly TourStep[] {
  const original = new Map<string, string>();
  return [
    { title: 'The cluster', run: showCluster },
    {
      title: 'One time service for all workers',
      async run(tour) {
        for (const worker of tour.workers) original.set(worker, await readChrony(tour, worker));
        await applyChrony(tour);
      },
    },
    { title: 'What is on the hosts', run: showFiles },
    { title: 'Somebody edits the file by hand', run: tamper },
    { title: 'And puts it right again', run: restore },
    { title: 'Away with it', run: (tour) => withdraw(tour, original) },
  ];
}

async function showCluster(tour: Tour): Promise<void> {
  tour.output.line(
    'Hosts join with a bootstrap token, get certificates of their own, and are adopted:',
  );
  const machines = tour.workers.length + 1;
  await followRollout(tour, 'every node to be adopted', (view) => areAllSettled(view, machines));
  tour.output.line();
  await showCommand(tour, 'kubectl get nodes', tour.commands.nodes());
  await showCommand(tour, 'kubectl get machineconfigpool', tour.commands.pools());
}

async function applyChrony(tour: Tour): Promise<void> {
  const { commands, output } = tour;
  output.line('A changed chrony.conf shall restart chronyd, and nothing else:');
  output.line(printYaml(disruptionPolicy).trimEnd());
  await showCommand(tour, 'kubectl apply -f policy.yaml', commands.apply(disruptionPolicy));
  output.line('The file itself, for every worker:');
  output.line(printYaml(chronyConfig).trimEnd());
  await showCommand(tour, 'kubectl apply -f chrony.yaml', commands.apply(chronyConfig));
  const source = { name: chronyConfigName, present: true };
  await followRollout(
    tour,
    'every worker to run the new configuration',
    (view) => isPoolSettled(view, 'worker', source),
    checkAvailability,
  );
  output.line();
  await showCommand(tour, 'kubectl get machineconfigpool', commands.pools());
}

async function showFiles(tour: Tour): Promise<void> {
  for (const worker of tour.workers) {
    tour.output.line(`$ cat ${fileOn(tour, worker)}`);
    tour.output.line((await readChrony(tour, worker)).trimEnd());
    tour.output.line();
  }
  await expectContent(tour, chronyContent);
}

async function tamper(tour: Tour): Promise<void> {
  const { output, workers } = tour;
  const worker = workers[1] ?? workers[0] ?? '';
  output.line(`$ echo 'server rogue.example.com' >> ${fileOn(tour, worker)}`);
  await writeFile(fileOn(tour, worker), 'server rogue.example.com\n', { flag: 'a' });
  const started = performance.now();
  const view = await expectView(
    tour,
    `${worker} to become Degraded with a finding for ${chronyPath}`,
    (seen) =>
      stateOf(seen, worker) === 'degraded' &&
      (driftOf(seen, worker)?.drift ?? []).some((finding) => finding.path === chronyPath),
  );
  output.line(`found after ${Math.round(performance.now() - started)} ms:`);
  for (const finding of driftOf(view, worker)?.drift ?? []) {
    output.line(`  ${finding.path}: ${finding.kind}`);
    if (finding.expected !== undefined) output.line(`    expected ${finding.expected}`);
    if (finding.actual !== undefined) output.line(`    found    ${finding.actual}`);
  }
  output.line();
  await expectView(tour, 'pool worker to count the degraded node', (seen) => {
    const pool = seen.pools.find((each) => each.metadata?.name === 'worker');
    return pool !== undefined && poolRow(pool)[4] === 'True';
  });
  await showCommand(tour, 'kubectl get machineconfigpool', tour.commands.pools());
}

async function restore(tour: Tour): Promise<void> {
  const { output, workers } = tour;
  const worker = workers[1] ?? workers[0] ?? '';
  output.line(`$ cp chrony.conf ${fileOn(tour, worker)}`);
  await writeFile(fileOn(tour, worker), chronyContent);
  const source = { name: chronyConfigName, present: true };
  await followRollout(tour, `${worker} to be Done again`, (view) =>
    isPoolSettled(view, 'worker', source),
  );
  output.line();
}

async function withdraw(tour: Tour, original: ReadonlyMap<string, string>): Promise<void> {
  const { commands, output } = tour;
  await showCommand(
    tour,
    `kubectl delete machineconfig ${chronyConfigName}`,
    commands.deleteMachineConfig(chronyConfigName),
  );
  const source = { name: chronyConfigName, present: false };
  await followRollout(
    tour,
    'every worker to be back at the configuration of before',
    (view) => isPoolSettled(view, 'worker', source),
    checkAvailability,
  );
  output.line();
  for (const worker of tour.workers) {
    const [found, before] = [await readChrony(tour, worker), original.get(worker)];
    if (found !== before) throw stepFailed(`${chronyPath} of ${worker} as it was before`, found);
  }
  output.line(`Every worker has the ${chronyPath} that it had before:`);
  output.line((original.get(tour.workers[0] ?? '') ?? '').trimEnd());
  output.line();
}
