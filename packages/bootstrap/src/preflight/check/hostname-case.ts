import { type Check, warning } from '../check.ts';

/** Names of Nodes are in lower case; programs that look the machine up by its own name miss the Node. */
export function hostnameCase(nodeName: string): Check {
  return {
    name: 'HostnameCase',
    run: async ({ ground }) => {
      const own = ground.machine.hostname();
      if (own === own.toLowerCase()) return [];
      return [
        warning(
          `the machine calls itself ${own}; its Node will be ${nodeName}, in certificates and etcd too`,
          `hostnamectl set-hostname ${own.toLowerCase()}`,
        ),
      ];
    },
  };
}
