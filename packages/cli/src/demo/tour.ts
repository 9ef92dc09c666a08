import type { Output } from '../output.ts';
import { type ClusterView, readClusterView, stateOf } from './cluster-view.ts';
import { rolloutFacts, rolloutTable } from './rollout-table.ts';
import type { TourCluster } from './tour-cluster.ts';
import type { TourCommands } from './tour-commands.ts';
import { waitForView } from './wait-for-view.ts';

/** What every step of the tour works with. */
export type Tour = {
  readonly cluster: TourCluster;
  readonly commands: TourCommands;
  readonly output: Output;
  readonly workers: readonly string[];
  readonly interrupted: AbortSignal;
};

const stepTimeoutMs = 60_000;

/** Waits for something to become true of the cluster. */
export async function expectView(
  tour: Tour,
  expected: string,
  holds: (view: ClusterView) => boolean,
): Promise<ClusterView> {
  return await waitForView(
    () => readClusterView(tour.cluster.client),
    { expected, timeoutMs: stepTimeoutMs, holds, seen: describeView },
    tour.interrupted,
  );
}

/** The same, with a picture of the progress, and with `watch` looking at every view in passing. */
export async function followRollout(
  tour: Tour,
  expected: string,
  holds: (view: ClusterView) => boolean,
  watch: (view: ClusterView) => void = () => undefined,
): Promise<void> {
  const { output } = tour;
  const show = output.isTerminal ? drawTable(output) : tellChanges(output);
  try {
    await waitForView(
      () => readClusterView(tour.cluster.client),
      {
        expected,
        timeoutMs: stepTimeoutMs,
        holds,
        seen: describeView,
        onView: (view) => {
          watch(view);
          show(view);
        },
      },
      tour.interrupted,
    );
  } finally {
    output.endRedraw();
  }
}

function drawTable(output: Output): (view: ClusterView) => void {
  return (view) => output.redraw(rolloutTable(view));
}

/** For logs: a line for everything that changed since the last look. */
function tellChanges(output: Output): (view: ClusterView) => void {
  let before: ReadonlyMap<string, string> = new Map();
  return (view) => {
    const now = rolloutFacts(view);
    for (const [name, fact] of now) {
      if (before.get(name) !== fact) output.line(`  ${name}: ${fact}`);
    }
    before = now;
  };
}

/** Shows a command as the user would type it, and its answer. */
export async function showCommand(
  { output }: Tour,
  command: string,
  answer: Promise<string>,
): Promise<void> {
  const text = await answer;
  output.line(`$ ${command}`);
  output.line(text);
  output.line();
}

function describeView(view: ClusterView): string {
  const states = view.nodes.map((node) => {
    const name = node.metadata?.name ?? '';
    return `${name} ${stateOf(view, name)}`;
  });
  return states.join(', ') || 'no node';
}
