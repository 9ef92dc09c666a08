import {
  backoffDelayMs,
  type Clock,
  type Component,
  type Logger,
  silentLogger,
  systemClock,
  TerminalError,
} from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import type { KubeClient } from '@slipway/kube';
import { dayMs } from '@slipway/pki';
import { dropPendingKey, pendingKey, readCredential, writeCredential } from './node-files.ts';
import { requestNodeCertificate } from './request-certificate.ts';

export type RenewalOptions = {
  readonly nodeName: string;
  readonly files: HostFiles;
  /** As the node. It must take up the new certificate by itself (`nodeConnection`). */
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly random?: () => number;
};

const retry = { initialMs: 10_000, maxMs: 3_600_000 };

/** When to renew, in ms since the epoch: after 70 to 90 % of the lifetime, spread as the kubelet does. */
export function renewalTime(notBefore: number, notAfter: number, random: number): number {
  return notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random);
}

/** Renews the node's certificate before it expires. A failure is logged and tried again with back-off. */
export function createCertificateRenewal(options: RenewalOptions): Component {
  const { clock = systemClock, logger = silentLogger, nodeName } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    for (let failures = 0; ; ) {
      try {
        await untilDue(options, clock, stopping.signal);
        await renew(options, clock, stopping.signal);
        failures = 0;
        logger.info('node certificate renewed', { node: nodeName });
      } catch (error) {
        stopping.signal.throwIfAborted();
        logger.warn('node certificate not renewed', { node: nodeName, error });
        await clock.sleep(backoffDelayMs(failures, retry), stopping.signal);
        failures += 1;
      }
    }
  }

  return {
    name: 'certificate-renewal',
    async start() {
      running = run().catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error('stopped'));
      await running;
    },
  };
}

async function untilDue(
  { files, nodeName, random = Math.random }: RenewalOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const credential = await readCredential(files, nodeName, clock.now());
  if (credential === undefined) return;
  const due = renewalTime(credential.notBefore, credential.notAfter, random());
  // Timers take 31 bits, and the wall clock may jump: look again at least daily.
  for (let left = due - clock.now(); left > 0; left = due - clock.now()) {
    await clock.sleep(Math.min(left, dayMs), signal);
  }
}

async function renew(options: RenewalOptions, clock: Clock, signal: AbortSignal): Promise<void> {
  const { nodeName, files, client } = options;
  try {
    const key = await pendingKey(files);
    const order = { client, nodeName, key, clock, signal };
    await writeCredential(files, await requestNodeCertificate(order), key);
  } catch (error) {
    if (error instanceof TerminalError) await dropPendingKey(files);
    throw error;
  }
}
