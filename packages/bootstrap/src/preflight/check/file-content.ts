import { type Check, failure, pathCheckName } from '../check.ts';

/** A setting of the kernel that has to be 1. Name: `FileContent--proc-sys-net-ipv4-ip_forward`. */
export function kernelSetting(path: string): Check {
  return {
    name: pathCheckName('FileContent', path),
    run: async ({ ground }) => {
      const content = await ground.machine.kernelFile(path);
      const key = path.replace('/proc/sys/', '').replaceAll('/', '.');
      if (content === undefined) {
        return [failure(`${path} does not exist`, missingFamily(path))];
      }
      if (content[0] === '1'.charCodeAt(0)) return [];
      return [
        failure(
          `${path} is not 1: packets of pods are not passed on`,
          `sysctl -w ${key}=1, and for the next boot: echo '${key} = 1' >> /etc/sysctl.d/99-kubernetes.conf`,
        ),
      ];
    },
  };
}

function missingFamily(path: string): string {
  return path.includes('/ipv6/')
    ? 'take ipv6.disable=1 out of the command line of the kernel and boot again, or leave IPv6 out of subnets and addresses'
    : 'use a kernel with IPv4, and mount /proc';
}
