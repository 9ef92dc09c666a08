/** What a reset does not touch, for the user to see to. */
export const resetReminders: readonly string[] = [
  'Left as they are, for you to remove where you want them gone:',
  '  - network plugin configuration: /etc/cni/net.d',
  '  - packet filter rules of kube-proxy and of the network plugin (iptables, nftables, IPVS)',
  '  - kubeconfigs of users: $HOME/.kube/config',
  '  - the Node object: kubectl delete node NAME, on a control plane that is left',
  '  - images of the container runtime, sysctl settings, and whether the kubelet starts at boot',
];
