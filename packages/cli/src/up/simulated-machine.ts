import { join } from 'node:path';
import { type Component, startAll, stopAll, systemClock } from '@slipway/base';
import { createDaemon } from '@slipway/daemon';
import { createSimulatedHost, type SimulatedHost } from '@slipway/host';
import type { KubeClient } from '@slipway/kube';
import { createKubeletProgram, createNodeClient } from '../host-program/kubelet-program.ts';
import { type FileLog, openFileLog } from './file-log.ts';
import type { HostWorkerSettings } from './host-messages.ts';

/**
 * One simulated host with what runs on it: stand-in kubelet, then the machine config daemon, on one
 * client to save memory. `start` resolves when the Node is registered; `stop` switches the host off.
 */
export function createSimulatedMachine(
  settings: HostWorkerSettings,
  onReboot: (reason: string) => void,
): Component {
  const { nodeName, directory } = settings;
  let log: FileLog | undefined;
  let host: SimulatedHost | undefined;
  let client: KubeClient | undefined;
  let components: readonly Component[] = [];
  return {
    name: `host ${nodeName}`,
    async start(signal) {
      host = await createSimulatedHost({ directory, name: nodeName, onReboot });
      log = openFileLog(join(directory, 'host.log'));
      const logger = log.logger;
      if (settings.reboot && host.isPoweredOn()) await host.powerOff();
      if (!host.isPoweredOn()) await host.powerOn();
      client = createNodeClient(host, logger);
      components = [
        createKubeletProgram({ host, settings, client, clock: systemClock, logger }),
        createDaemon({ nodeName, client, host, clock: systemClock, logger }),
      ];
      await startAll(components, signal);
    },
    async stop() {
      await stopAll(components);
      client?.close();
      await host?.powerOff();
      await log?.close();
    },
  };
}
