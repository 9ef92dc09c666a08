import { type Check, type Finding, failure, type PreflightContext, warning } from '../check.ts';
import { readRuntimeConfiguration } from '../runtime/runtime-configuration.ts';

export type SandboxImageQuestion = {
  readonly socket: string;
  /** What the cluster runs: `mirror.example.com/k8s/pause:3.10.2`. */
  readonly pauseImage: string;
};

const publicRegistry = 'registry.k8s.io';
const mirrorFolder = `/etc/containerd/certs.d/${publicRegistry}`;

/**
 * The image of pod sandboxes is chosen by the container runtime and not by the cluster: `imageRepository`
 * does not reach it. A runtime that pulls it from the public registry on a machine that only reaches a
 * mirror starts no pod, and init waits in vain. kubeadm only logs that the two differ.
 */
export function sandboxImage(question: SandboxImageQuestion): Check {
  const { socket, pauseImage } = question;
  return {
    name: 'SandboxImage',
    run: async (context) => {
      const used = await usedImage(context, socket);
      if (used === undefined) return await byDefault(context, question);
      if (used === pauseImage) return [];
      const message = `the container runtime starts pods with ${used}; the cluster has ${pauseImage}`;
      const fix = fixFor(pauseImage);
      if (repositoryOf(used) === repositoryOf(pauseImage)) return [warning(message, fix)];
      if (await isReachable(context, socket, used)) return [warning(message, fix)];
      return [failure(`${message}, from another registry`, fix)];
    },
  };
}

function fixFor(pauseImage: string): string {
  return `set sandbox_image = "${pauseImage}" in /etc/containerd/config.toml (containerd 2: sandbox under pinned_images; CRI-O: pause_image) and restart the runtime`;
}

/**
 * A runtime that answers, tells no image and has none in its files: containerd 2 as it is installed. It
 * takes the public image, whose tag goes with its version. Only a warning, as that image may be there.
 */
async function byDefault(
  context: PreflightContext,
  { socket, pauseImage }: SandboxImageQuestion,
): Promise<readonly Finding[]> {
  if (context.ground.run === undefined || repositoryOf(pauseImage) === publicRegistry) return [];
  if ((await context.ground.files.list(mirrorFolder)).length > 0) return [];
  const isAnswering = await context
    .runtime(socket)
    .cgroupDriver()
    .then((driver) => driver !== undefined)
    .catch(() => false);
  if (!isAnswering) return [];
  const message = `the container runtime is not told which image starts pods and takes pause of ${publicRegistry}; the cluster has ${pauseImage}`;
  return [warning(message, fixFor(pauseImage))];
}

async function usedImage(
  { ground, runtime }: PreflightContext,
  socket: string,
): Promise<string | undefined> {
  if (ground.run !== undefined) {
    // A runtime that does not answer is the business of the check CRI; its files tell enough here.
    const told = await runtime(socket)
      .sandboxImage()
      .catch(() => undefined);
    if (told !== undefined) return told;
  }
  return (await readRuntimeConfiguration(ground.files, socket))?.sandboxImage;
}

/** The runtime has the image already, or has a mirror for the registry that it names. */
async function isReachable(
  { ground, runtime }: PreflightContext,
  socket: string,
  image: string,
): Promise<boolean> {
  if (
    image.startsWith(`${publicRegistry}/`) &&
    (await ground.files.list(mirrorFolder)).length > 0
  ) {
    return true;
  }
  if (ground.run === undefined) return false;
  return await runtime(socket)
    .hasImage(image)
    .catch(() => false);
}

/** `registry.k8s.io` of `registry.k8s.io/pause:3.10`. */
function repositoryOf(image: string): string {
  return image.slice(0, Math.max(0, image.lastIndexOf('/')));
}
