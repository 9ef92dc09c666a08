import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../command/program.ts';
import { findProgram } from './find-program.ts';
import { startTourCluster, type TourCluster } from './tour-cluster.ts';
import { clientCommands, kubectlCommands, type TourCommands } from './tour-commands.ts';
import { tourSteps } from './tour-steps.ts';

const workerCount = 3;

/**
 * `slipway demo`: a tour that ends by itself. Exit code 0 when every step held; a step that does not
 * hold is an error that says what was expected and what was seen.
 */
export async function demo(
  flags: { readonly keep: boolean },
  context: CommandContext,
): Promise<number> {
  const { output, environment } = context;
  const data = await mkdtemp(join(tmpdir(), 'slipway-demo-'));
  const started = performance.now();
  output.phase('demo', `starting a cluster in ${data}`);
  try {
    const cluster = await startTourCluster({ data, nodes: workerCount, environment });
    try {
      await runSteps(cluster, context, data, started);
    } finally {
      const code = await cluster.stop();
      output.phase('demo', `cluster stopped (exit ${code ?? 'by signal'})`);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    output.phase('demo', `every step held, in ${seconds} s; to go on: slipway up`);
    return 0;
  } finally {
    if (flags.keep) output.phase('demo', `kept ${data}`);
    else await rm(data, { recursive: true, force: true });
  }
}

async function runSteps(
  cluster: TourCluster,
  { output, environment }: CommandContext,
  data: string,
  started: number,
): Promise<void> {
  const commands = chooseCommands(cluster, { data, environment });
  output.phase('demo', `commands go through ${commands.description}`);
  await commands.nodes();
  const readyMs = Math.round(performance.now() - started);
  output.phase('demo', `first answer to "get nodes" after ${readyMs} ms`);
  const workers = Array.from({ length: workerCount }, (_, index) => `worker-${index + 1}`);
  const { interrupted } = environment;
  for (const [index, step] of tourSteps().entries()) {
    output.line();
    output.phase(`${index + 1}/${tourSteps().length}`, step.title);
    await step.run({ cluster, commands, output, workers, interrupted });
  }
}

function chooseCommands(
  cluster: TourCluster,
  { data, environment }: { data: string; environment: CommandContext['environment'] },
): TourCommands {
  const program = findProgram('kubectl', environment.variables['PATH']);
  if (program === undefined) return clientCommands(cluster.client);
  return kubectlCommands({
    program,
    kubeconfig: cluster.kubeconfig,
    cacheDirectory: join(data, 'kubectl-cache'),
    environment: environment.variables,
  });
}
