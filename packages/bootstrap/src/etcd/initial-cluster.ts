import type { EtcdMember } from './etcd-client.ts';

/**
 * Value of etcd's `--initial-cluster` for a member that joins: all members with their names, the new one
 * under its own. Members that never started have no name; kubeadm calls them by their id in hex.
 */
export function initialCluster(
  members: readonly EtcdMember[],
  own: { readonly name: string; readonly peerUrl: string },
): string {
  return members
    .flatMap((member) =>
      member.peerUrls.map((peerUrl) => `${nameOf(member, peerUrl, own)}=${peerUrl}`),
    )
    .join(',');
}

function nameOf(
  { id, name }: EtcdMember,
  peerUrl: string,
  own: { readonly name: string; readonly peerUrl: string },
): string {
  if (peerUrl === own.peerUrl) return own.name;
  return name === '' ? BigInt(id).toString(16) : name;
}
