import { describeError } from '@slipway/base';
import { type Check, type Finding, failure, type PreflightContext, warning } from '../check.ts';

/** The container runtime answers and says that it is ready. */
export function cri(socket: string): Check {
  return {
    name: 'CRI',
    run: async (context) => {
      if (context.ground.run === undefined) return [notAsked(socket)];
      return askConditions(context, socket);
    },
  };
}

/** No socket is connected to where a folder is the root: it would be that of another machine. */
export function notAsked(socket: string): Finding {
  return warning(
    `not checked: no container runtime is asked where a folder is the root (socket ${socket})`,
    'check the machine itself, without --rootfs',
  );
}

export function notAnswering(socket: string, error: unknown): Finding {
  return failure(
    describeError(error),
    `install and start a container runtime (systemctl enable --now containerd), or name its socket with --cri-socket; this was ${socket}`,
  );
}

async function askConditions(
  { runtime }: PreflightContext,
  socket: string,
): Promise<readonly Finding[]> {
  try {
    // Whether there is a network yet does not matter: the plugin comes after init.
    const conditions = await runtime(socket).conditions();
    return conditions
      .filter(({ type, isTrue }) => type === 'RuntimeReady' && !isTrue)
      .map(({ type, reason, message }) =>
        failure(
          `the container runtime says that ${type} is false: ${reason} ${message}`,
          'see its log: journalctl -u containerd -u crio',
        ),
      );
  } catch (error) {
    return [notAnswering(socket, error)];
  }
}
