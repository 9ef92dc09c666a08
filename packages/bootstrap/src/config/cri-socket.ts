import type { HostFiles } from '@slipway/host';
import { defaultCriSocket } from './defaults.ts';
import type { Path } from './document/source-node.ts';
import type { Finding } from './finding.ts';

/** Sockets of the container runtimes that are looked for, as kubeadm looks. */
const knownSockets = [
  {
    socket: defaultCriSocket,
    paths: ['/var/run/containerd/containerd.sock', '/run/containerd/containerd.sock'],
  },
  {
    socket: 'unix:///var/run/crio/crio.sock',
    paths: ['/var/run/crio/crio.sock', '/run/crio/crio.sock'],
  },
  {
    socket: 'unix:///var/run/cri-dockerd.sock',
    paths: ['/var/run/cri-dockerd.sock', '/run/cri-dockerd.sock'],
  },
] as const;

export type SocketChoice = { readonly criSocket: string; readonly findings: readonly Finding[] };

/** The socket that was given, with its scheme. */
export function givenSocket(given: string, path: Path): SocketChoice {
  if (!given.startsWith('/')) return { criSocket: given, findings: [] };
  const criSocket = `unix://${given}`;
  const finding: Finding = {
    code: 'bootstrap.config.cri-socket',
    severity: 'warning',
    path,
    message: `${given} has no scheme; taken as ${criSocket}`,
    hint: `write ${criSocket}`,
  };
  return { criSocket, findings: [finding] };
}

/** The socket of the one runtime that this machine has; containerd's when it has none yet. */
export async function detectSocket(files: HostFiles, path: Path): Promise<SocketChoice> {
  const found: string[] = [];
  for (const { socket, paths } of knownSockets) {
    for (const candidate of paths) {
      // A directory that cannot be looked into hides no socket that could be used.
      const stat = await files.stat(candidate).catch(() => undefined);
      if (stat?.type === 'other' && !found.includes(socket)) found.push(socket);
    }
  }
  const [first = defaultCriSocket, ...others] = found;
  if (others.length === 0) return { criSocket: first, findings: [] };
  const finding: Finding = {
    code: 'bootstrap.config.cri-ambiguous',
    severity: 'error',
    path,
    message: `there are several container runtimes: ${found.join(', ')}`,
    hint: 'choose one with --cri-socket or nodeRegistration.criSocket',
  };
  return { criSocket: first, findings: [finding] };
}
