import type { EtcdMember } from './etcd-client.ts';

/** A member as etcd's `--initial-cluster` names it: `name=peerUrl`. */
export type EtcdPeer = { readonly name: string; readonly peerUrl: string };

/**
 * The peers of a member that joins: all members with their names, the new one under its own. Members that
 * never started have no name; kubeadm calls them by their id in hex.
 */
export function initialCluster(members: readonly EtcdMember[], own: EtcdPeer): readonly EtcdPeer[] {
  return members.flatMap((member) =>
    member.peerUrls.map((peerUrl) => ({ name: nameOf(member, peerUrl, own), peerUrl })),
  );
}

function nameOf({ id, name }: EtcdMember, peerUrl: string, own: EtcdPeer): string {
  if (peerUrl === own.peerUrl) return own.name;
  return name === '' ? BigInt(id).toString(16) : name;
}
