import { type Pod, pods } from '@slipway/api';
import { describeError, TerminalError } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import type { ApiEndpoint } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';

/** Where the static pod of an API server says how its node is reached; kubeadm writes and reads it. */
export const apiEndpointAnnotation =
  'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint';

/** `10.0.0.1:6443` or `[fd00::1]:6443`; undefined when it is neither. */
export function parseApiEndpoint(text: string): ApiEndpoint | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d+)$/.exec(text) ?? [];
  const advertiseAddress = bracketed ?? plain;
  const bindPort = Number(port);
  if (advertiseAddress === undefined || bindPort < 1 || bindPort > 65_535) return undefined;
  return { advertiseAddress, bindPort };
}

/**
 * The API endpoint of a control-plane node, from the annotation of its mirror pod. Waits up to
 * `timeoutMs` (default 1 minute) for the kubelet to publish the pod. Throws a TerminalError.
 */
export async function fetchApiEndpoint(
  client: KubeClient,
  nodeName: string,
  waiting: Waiting,
): Promise<ApiEndpoint> {
  const { timeoutMs = 60_000, signal } = waiting;
  let observed = '';
  const annotation = await waitFor<string>(
    {
      ...waiting,
      timeoutMs,
      expired: (last) => unknown(nodeName, last === undefined ? observed : describeError(last)),
    },
    async () => {
      const found = await client.list(pods, {
        namespace: 'kube-system',
        fieldSelector: `spec.nodeName=${nodeName}`,
        labelSelector: 'component=kube-apiserver,tier=control-plane',
        ...(signal === undefined ? {} : { signal }),
      });
      const read = readAnnotation(found);
      observed = read.problem ?? '';
      return read.value;
    },
  );
  const endpoint = parseApiEndpoint(annotation);
  if (endpoint !== undefined) return endpoint;
  throw unknown(nodeName, `${JSON.stringify(annotation)} is not an address with a port`);
}

function readAnnotation(found: readonly Pod[]): {
  readonly value?: string;
  readonly problem?: string;
} {
  const [pod, ...others] = found;
  if (pod === undefined) return { problem: 'it has no pod of kube-apiserver' };
  if (others.length > 0) return { problem: `it has ${found.length} pods of kube-apiserver` };
  const value = pod.metadata?.annotations?.[apiEndpointAnnotation];
  if (value !== undefined) return { value };
  return { problem: `its pod of kube-apiserver has no annotation ${apiEndpointAnnotation}` };
}

function unknown(nodeName: string, why: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.cluster-settings.endpoint';
  return new TerminalError(`find API endpoint of node ${nodeName}: ${why}`, { code });
}
