import { describeError, TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { ContainerRuntime } from '../preflight/runtime/container-runtime.ts';
import type { Reporter } from '../workflow/ground.ts';
import { pullImage } from './pull-image.ts';

/**
 * Pulls images one after the other, whether they are there or not: a tag may have moved.
 * @throws TransientError `bootstrap.preflight.runtime` when the container runtime does not answer
 * @throws TerminalError `bootstrap.images.pull` that names every image that could not be pulled
 */
export async function pullImages(
  images: readonly string[],
  runtime: Pick<ContainerRuntime, 'conditions' | 'pullImage'>,
  reporter: Reporter,
): Promise<void> {
  // A runtime that is not there is said once and not for each image.
  await runtime.conditions();
  const failed: string[] = [];
  for (const image of images) {
    try {
      await pullImage(runtime, image);
      reporter.phase('config/images', `pulled ${image}`);
    } catch (error) {
      failed.push(image);
      reporter.problem(`${image}: ${describeError(error)}`);
    }
  }
  if (failed.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.images.pull';
  throw new TerminalError(`pull images: ${failed.join(', ')} could not be pulled`, { code });
}
