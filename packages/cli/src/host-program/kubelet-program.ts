import type { Clock, Component, Logger } from '@slipway/base';
import { startAll, stopAll } from '@slipway/base';
import {
  createCertificateRenewal,
  createStandInKubelet,
  joinNode,
  nodeConnection,
} from '@slipway/bootstrap';
import type { Host } from '@slipway/host';
import { createKubeClient, type KubeClient } from '@slipway/kube';
import { parseBootstrapToken } from '@slipway/pki';
import { describeHost } from './describe-host.ts';
import type { JoinSettings } from './join-settings.ts';

export type KubeletProgramOptions = {
  readonly host: Host;
  readonly settings: JoinSettings;
  /** With the node's identity, as `createNodeClient` makes it; it is not used before the join. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** The host joins the cluster (or finds that it has), then its stand-in kubelet runs. `start` resolves when the Node is Ready. */
export function createKubeletProgram(options: KubeletProgramOptions): Component {
  const { host, settings, client, clock, logger } = options;
  const { nodeName, endpoint, pins } = settings;
  let components: readonly Component[] = [];
  return {
    name: 'kubelet-program',
    async start(signal) {
      await joinNode({
        nodeName,
        endpoint,
        pins,
        token: parseBootstrapToken(settings.token),
        files: host.files,
        clock,
        logger,
        ...(signal === undefined ? {} : { signal }),
      });
      const description = await describeHost(host, nodeName, settings.address);
      components = [
        createStandInKubelet({ client, description, clock, logger }),
        createCertificateRenewal({ nodeName, files: host.files, client, clock, logger }),
      ];
      await startAll(components, signal);
    },
    stop: () => stopAll(components),
  };
}

/** A client with the node's own identity, which takes up a renewed certificate by itself. */
export function createNodeClient(host: Host, logger: Logger): KubeClient {
  return createKubeClient(() => nodeConnection(host.files), { userAgent: 'slipway-node', logger });
}
