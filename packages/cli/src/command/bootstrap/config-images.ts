import { UserError } from '@slipway/base';
import {
  createContainerRuntime,
  flagsMixedWithConfig,
  type Ground,
  type InitSettings,
  pullImages,
  requiredImages,
  settleInit,
  withSomeAddress,
} from '@slipway/bootstrap';
import type { AnswerFlags } from '../../answer/answer-format.ts';
import { openAnswer } from '../../answer/print-answer.ts';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { readConfiguration } from './config-source.ts';
import { demandSettled } from './demand-settled.ts';
import { createGround, type GroundFlags } from './ground.ts';
import { createReporter } from './reporter.ts';

type ImageFlags = GroundFlags & {
  readonly config?: string;
  readonly kubernetesVersion?: string;
  readonly imageRepository?: string;
  readonly featureGates?: readonly string[];
};

export type ImageListFlags = ImageFlags & AnswerFlags;

export type ImagePullFlags = ImageFlags & { readonly criSocket?: string };

/** A list of images is the same whatever runs them: no runtime is looked for. */
const anySocket = 'unix:///run/containerd/containerd.sock';

/**
 * Prints the images, one a line or as the object that kubeadm prints.
 * @throws UserError `cli.usage`, `cli.bootstrap.configuration`, `cli.bootstrap.input`
 */
export async function listImages(flags: ImageListFlags, context: CommandContext): Promise<void> {
  const print = await openAnswer(flags, context);
  const ground = createGround(context, flags);
  const images = requiredImages((await settle(flags, anySocket, ground, context)).cluster);
  const object = { kind: 'Images', apiVersion: 'output.kubeadm.k8s.io/v1alpha3', images };
  print({ objects: [object], text: () => images });
}

/**
 * Pulls the images over the CRI: no crictl is needed.
 * @throws UserError `cli.usage`, `cli.bootstrap.configuration`, `cli.bootstrap.input`
 * @throws TransientError `bootstrap.preflight.runtime` when the container runtime does not answer
 * @throws TerminalError `bootstrap.images.pull` when an image cannot be pulled
 */
export async function pullClusterImages(
  flags: ImagePullFlags,
  context: CommandContext,
): Promise<void> {
  const ground = createGround(context, flags);
  if (ground.run === undefined) {
    const code: CliErrorCode = 'cli.usage';
    const why = 'no container runtime runs in a folder; leave --rootfs out';
    throw new UserError(`pull images with --rootfs ${flags.rootfs ?? '/'}: ${why}`, { code });
  }
  const { cluster, init } = await settle(flags, flags.criSocket, ground, context);
  const runtime = createContainerRuntime(init.nodeRegistration.criSocket);
  await pullImages(requiredImages(cluster), runtime, createReporter(context.output));
}

async function settle(
  flags: ImageFlags,
  criSocket: string | undefined,
  ground: Ground,
  context: CommandContext,
): Promise<InitSettings> {
  const { config, kubernetesVersion, imageRepository, featureGates } = flags;
  refuseMixedFlags(flags);
  const text =
    config === undefined ? undefined : await readConfiguration(context, flags, '--config', config);
  const settled = await settleInit({
    text,
    flags: { kubernetesVersion, imageRepository, featureGates, criSocket },
    // Images do not depend on where the machine is reached.
    ground: await withSomeAddress(ground),
  });
  return demandSettled(settled, config ?? 'flags', context);
}

/** kubeadm ignores these flags beside a file, without a word. */
function refuseMixedFlags(flags: ImageFlags): void {
  const given = [
    ...(flags.config === undefined ? [] : ['config']),
    ...(flags.kubernetesVersion === undefined ? [] : ['kubernetes-version']),
    ...(flags.imageRepository === undefined ? [] : ['image-repository']),
    ...(flags.featureGates === undefined ? [] : ['feature-gates']),
  ];
  const mixed = flagsMixedWithConfig(given);
  if (mixed.length === 0) return;
  const code: CliErrorCode = 'cli.usage';
  const names = mixed.map((name) => `--${name}`).join(', ');
  throw new UserError(`mix flags with --config: the file is to say it instead of ${names}`, {
    code,
  });
}
