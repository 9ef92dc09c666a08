import { createLogger, systemClock } from '@slipway/base';
import { nodePaths } from '@slipway/bootstrap';
import { createDaemon } from '@slipway/daemon';
import { createRealHost, type Host } from '@slipway/host';
import type { CommandContext } from '../command/program.ts';
import { createNodeClient } from './kubelet-program.ts';
import { untilInterrupted } from './until-interrupted.ts';

const pollMs = 500;

/**
 * `slipway machine-config daemon`: the node agent as a service. It has the kubelet's identity and waits
 * until the host has joined a cluster. Ends with 0 when it is told to stop.
 */
export async function runDaemon(
  flags: { readonly nodeName: string; readonly root: string },
  { output, environment }: CommandContext,
): Promise<number> {
  const { interrupted } = environment;
  const logger = createLogger((line) => output.line(line));
  const host = createRealHost({ root: flags.root });
  if (!(await hasJoined(host, interrupted))) return 0;
  const client = createNodeClient(host, logger);
  const { nodeName } = flags;
  const daemon = createDaemon({ nodeName, client, host, clock: systemClock, logger });
  await untilInterrupted([daemon], interrupted);
  client.close();
  return 0;
}

/** Waits for kubelet.conf, which a join writes last; false when it is time to stop. */
async function hasJoined(host: Host, interrupted: AbortSignal): Promise<boolean> {
  while ((await host.files.stat(nodePaths.kubeconfig)) === undefined) {
    try {
      await systemClock.sleep(pollMs, interrupted);
    } catch {
      return false;
    }
  }
  return true;
}
