import type { MachineProbe } from '@slipway/host';

/** Files and devices that the machine swaps to; none where the kernel cannot swap. */
export async function swapDevices(machine: MachineProbe): Promise<readonly string[]> {
  const table = await machine.kernelFile('/proc/swaps');
  const [, ...lines] = Buffer.from(table ?? [])
    .toString('utf8')
    .split('\n');
  return lines.flatMap((line) => line.split(/\s/)[0] || []);
}

/** How to do without swap, now and after the next boot. What a generator makes is in no fstab. */
export function withoutSwap(devices: readonly string[]): string {
  const isInMemory = devices.some((device) => /\/zram\d+$/.test(device));
  const fstab = 'swapoff -a and remove swap from /etc/fstab';
  return isInMemory
    ? `${fstab}; zram comes back unless its generator is off: truncate -s 0 /etc/systemd/zram-generator.conf, or remove the package zram-tools`
    : fstab;
}
