import { TerminalError } from '@slipway/base';
import type { ContainerRuntime } from '../preflight/runtime/container-runtime.ts';

/** Source: kubeadm's PullImageRetry. */
const attempts = 5;

/**
 * Pulls an image; a refusal of the registry is asked about again. A runtime that does not answer is not:
 * it had its time.
 * @throws TransientError, TerminalError `bootstrap.preflight.runtime`
 */
export async function pullImage(
  runtime: Pick<ContainerRuntime, 'pullImage'>,
  image: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runtime.pullImage(image);
    } catch (error) {
      if (attempt === attempts || !(error instanceof TerminalError)) throw error;
    }
  }
}
