import { parentPort, workerData } from 'node:worker_threads';
import type { HostOrder, HostReport, HostWorkerSettings } from './host-messages.ts';
import { createSimulatedMachine } from './simulated-machine.ts';

/**
 * Worker of one simulated host. It is the host's power: when the host asks to reboot, the worker says
 * so and is ended and started again from outside, as a machine ends its processes.
 */
const port = parentPort;
if (port === null) throw new Error('host-worker must run as a worker thread');
const settings: HostWorkerSettings = workerData;

function report(message: HostReport): void {
  port?.postMessage(message);
}

const machine = createSimulatedMachine(settings, (reason) => report({ kind: 'reboot', reason }));
const starting = new AbortController();

async function start(): Promise<void> {
  try {
    await machine.start(starting.signal);
    report({ kind: 'registered' });
  } catch (error) {
    if (!starting.signal.aborted) throw error;
  }
}

async function stop(): Promise<void> {
  starting.abort(new Error('stopped'));
  await machine.stop();
  report({ kind: 'stopped' });
  port?.close();
}

port.on('message', (order: HostOrder) => {
  // A rejection ends the worker, which its supervisor sees as a crash.
  void (order.kind === 'go' ? start() : stop());
});
report({ kind: 'loaded' });
