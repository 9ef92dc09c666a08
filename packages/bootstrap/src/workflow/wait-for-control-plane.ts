import { TerminalError } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import { parse } from 'yaml';
import type { ApiEndpoint, Timeouts } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import {
  type ControlPlaneComponent,
  controlPlaneComponents,
  kubernetesPaths,
  kubernetesPorts,
} from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import type { Ground, Reporter } from './ground.ts';
import { askHealth, type HealthAnswer } from './health/ask-health.ts';
import { diagnoseComponent, kubeletSays } from './health/diagnose.ts';
import { healthAddress, healthCheck } from './health/health-checks.ts';
import { type AwaitedHealth, waitHealthy } from './health/wait-healthy.ts';

export type ControlPlaneWait = {
  readonly ground: Ground;
  readonly reporter: Reporter;
  readonly timeouts: Timeouts;
  readonly endpoint: ApiEndpoint;
  readonly isDryRun: boolean;
  /** As an administrator: the API server may not answer anybody else. */
  readonly client: () => Promise<KubeClient>;
  readonly signal?: AbortSignal;
};

/** Waits until the components of the static pods of this node are healthy. */
export async function waitForControlPlane(wait: ControlPlaneWait): Promise<void> {
  const checks = [];
  for (const component of controlPlaneComponents)
    checks.push(await componentHealth(component, wait));
  if (wait.isDryRun) {
    for (const { name, address } of checks)
      wait.reporter.phase('dryrun', `would wait until ${name} is healthy at ${address}`);
    return;
  }
  await waitHealthy(checks, {
    ...wait,
    phase: 'control-plane-check',
    code: 'bootstrap.wait.control-plane',
    clock: wait.ground.clock,
    timeoutMs: durationMs(wait.timeouts.controlPlaneComponentHealthCheck),
  });
}

/**
 * Waits until the kubelet answers for its health. Not where no services are touched: then it is not
 * slipway's, and it may not run at all. A port of 0 turns it off.
 */
export async function waitForKubelet(
  wait: Omit<ControlPlaneWait, 'client' | 'endpoint'>,
): Promise<void> {
  const { ground, reporter, isDryRun } = wait;
  const { host, port } = await kubeletHealth(ground);
  if (port === 0) return;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
  if (isDryRun) {
    reporter.phase('dryrun', `would wait until the kubelet is healthy at ${address}`);
    return;
  }
  if (ground.systemd === undefined) {
    reporter.phase('kubelet-check', 'no services are touched here: the kubelet is not waited for');
    return;
  }
  const kubelet: AwaitedHealth = {
    name: 'kubelet',
    address,
    ask: () => askHealth(address, wait.signal),
    diagnose: () => kubeletSays(ground),
  };
  await waitHealthy([kubelet], {
    ...wait,
    phase: 'kubelet-check',
    code: 'bootstrap.wait.kubelet',
    clock: ground.clock,
    timeoutMs: durationMs(wait.timeouts.kubeletHealthCheck),
  });
}

async function componentHealth(
  component: ControlPlaneComponent,
  wait: ControlPlaneWait,
): Promise<AwaitedHealth> {
  const { ground, endpoint, signal } = wait;
  const path = `${kubernetesPaths.manifests}/${component}.yaml`;
  const text = await readHostText(ground.files, path);
  if (text === undefined) {
    const code: BootstrapErrorCode = 'bootstrap.wait.control-plane';
    throw new TerminalError(`wait for ${component}: there is no static pod ${path}`, { code });
  }
  const check = healthCheck(component, parse(text), endpoint.advertiseAddress);
  const address = healthAddress(check);
  return {
    name: component,
    address,
    ask:
      component === 'kube-apiserver'
        ? () => askApiServer(wait, address, check.path)
        : () => askHealth(address, signal),
    diagnose: () => diagnoseComponent(ground, component),
  };
}

/** Anybody's question first; an API server that knows nobody by that name is asked as administrator. */
async function askApiServer(
  { client, signal }: ControlPlaneWait,
  address: string,
  path: string,
): Promise<HealthAnswer> {
  const anonymous = await askHealth(address, signal);
  if (!/answered 40[13]$/.test(anonymous.observed)) return anonymous;
  const { status } = await (await client()).raw(path, { timeoutMs: 5_000 });
  return { healthy: status === 200, observed: `${address} answered ${status}` };
}

async function kubeletHealth(ground: Ground): Promise<{ host: string; port: number }> {
  const text = await readHostText(ground.files, kubernetesPaths.kubeletConfiguration);
  const configuration = text === undefined ? {} : parse(text);
  const { healthzBindAddress = '127.0.0.1', healthzPort = kubernetesPorts.kubeletHealth } =
    configuration ?? {};
  return { host: String(healthzBindAddress), port: Number(healthzPort) };
}
