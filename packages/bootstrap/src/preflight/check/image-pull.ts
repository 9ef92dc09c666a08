import { describeError } from '@slipway/base';
import type { ImagePullPolicy } from '../../config/configuration.ts';
import { pullImage } from '../../image/pull-image.ts';
import { type Check, type Finding, failure, warning } from '../check.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

export type ImagePullRequest = {
  readonly socket: string;
  readonly images: readonly string[];
  readonly policy: ImagePullPolicy;
  /** One after the other; else all at once. */
  readonly isSerial: boolean;
};

/** Pulls what the control plane runs, so that nothing waits for it later. The one check that changes something. */
export function imagePull(request: ImagePullRequest): Check {
  const { socket, images, policy, isSerial } = request;
  return {
    name: 'ImagePull',
    run: async ({ ground, runtime }) => {
      if (policy === 'Never') return [];
      if (ground.run === undefined) {
        return [
          warning(
            `not pulled where a folder is the root: ${images.join(', ')}`,
            'on the machine itself: slipway config images pull',
          ),
        ];
      }
      const pull = (image: string) => pullOne(runtime(socket), image, policy);
      if (!isSerial) return (await Promise.all(images.map(pull))).flat();
      const findings: Finding[] = [];
      for (const image of images) findings.push(...(await pull(image)));
      return findings;
    },
  };
}

async function pullOne(
  runtime: ContainerRuntime,
  image: string,
  policy: ImagePullPolicy,
): Promise<readonly Finding[]> {
  try {
    // An image that cannot be looked for may be pulled all the same.
    const isThere = policy === 'IfNotPresent' && (await runtime.hasImage(image).catch(() => false));
    if (!isThere) await pullImage(runtime, image);
    return [];
  } catch (error) {
    return [
      failure(
        `${image} cannot be pulled: ${describeError(error)}`,
        'see that the registry is reached, or name a mirror with imageRepository (--image-repository)',
      ),
    ];
  }
}
