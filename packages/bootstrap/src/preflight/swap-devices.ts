import type { MachineProbe } from '@slipway/host';

/** Files and devices that the machine swaps to; none where the kernel cannot swap. */
export async function swapDevices(machine: MachineProbe): Promise<readonly string[]> {
  const table = await machine.kernelFile('/proc/swaps');
  const [, ...lines] = Buffer.from(table ?? [])
    .toString('utf8')
    .split('\n');
  return lines.flatMap((line) => line.split(/\s/)[0] || []);
}
