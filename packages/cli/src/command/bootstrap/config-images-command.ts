import type { Command } from 'commander';
import { withAnswerFlags } from '../../answer/answer-format.ts';
import { collect, withMachineFlags, withoutCluster } from '../command-flags.ts';
import type { CommandContext } from '../program.ts';
import type { ImageListFlags, ImagePullFlags } from './config-images.ts';

/** Puts `config images list|pull` below `config`. */
export function addConfigImagesCommand(config: Command, context: CommandContext): void {
  const images = config
    .command('images')
    .description('images that a control-plane node runs: name them, pull them');
  withAnswerFlags(withClusterFlags(images.command('list')))
    .description('print the images; nothing is looked up in the network')
    .action(async (flags: ImageListFlags) => {
      const { listImages } = await import('./config-images.ts');
      await listImages(flags, context);
    });
  withClusterFlags(images.command('pull'))
    .description('pull the images into the container runtime of this machine')
    .option(
      '--cri-socket <path>',
      'socket of the container runtime (default: the one that there is)',
    )
    .action(async (flags: ImagePullFlags) => {
      const { pullClusterImages } = await import('./config-images.ts');
      await pullClusterImages(flags, context);
    });
}

function withClusterFlags(command: Command): Command {
  return withMachineFlags(command)
    .option('--config <file>', 'configuration file; - for standard input')
    .option(
      '--kubernetes-version <version>',
      'version of the control plane (default: the newest that is known)',
    )
    .option(
      '--image-repository <repository>',
      'where images are pulled from (default: registry.k8s.io)',
    )
    .option('--feature-gates <gates>', 'Name=true|false, separated by commas', collect)
    .option('--kubeconfig <file>', withoutCluster);
}
