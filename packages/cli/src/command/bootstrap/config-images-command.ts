import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import type { ImageListFlags, ImagePullFlags } from './config-images.ts';

/** Puts `config images list|pull` below `config`. */
export function addConfigImagesCommand(config: Command, context: CommandContext): void {
  const images = config
    .command('images')
    .description('images that a control-plane node runs: name them, pull them');
  withClusterFlags(images.command('list'))
    .description('print the images; nothing is looked up in the network')
    .addOption(
      new Option('-o, --output <format>', 'form of the answer')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
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
  return command
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
    .option('--kubeconfig <file>', 'for command lines of kubeadm: no cluster is asked')
    .option('--rootfs <directory>', 'take this directory for the root of the machine')
    .option('-v, --v <level>', 'level of detail of the log', Number);
}

/** Repeated and with commas, as kubeadm takes lists. */
function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), ...text.split(',').filter(Boolean)];
}
