import { gunzipSync } from 'node:zlib';
import { readHostText } from '../../host-text/read-host-text.ts';
import type { Ground } from '../../workflow/ground.ts';
import { type KernelConfiguration, parseKernelConfiguration } from './kernel-configuration.ts';

/**
 * How the running kernel was built, from wherever distributions keep it; undefined when nowhere. Unlike
 * kubeadm this loads no module: `modprobe configs` may bring /proc/config.gz.
 */
export async function readKernelConfiguration({
  machine,
  files,
}: Ground): Promise<KernelConfiguration | undefined> {
  const packed = await machine.kernelFile('/proc/config.gz');
  if (packed !== undefined) return parseKernelConfiguration(gunzipSync(packed).toString('utf8'));
  for (const path of kernelConfigurationPaths(machine.kernelRelease())) {
    const text = await readHostText(files, path).catch(() => undefined);
    if (text !== undefined) return parseKernelConfiguration(text);
  }
  return undefined;
}

function kernelConfigurationPaths(release: string): readonly string[] {
  return [
    `/boot/config-${release}`,
    `/usr/src/linux-${release}/.config`,
    '/usr/src/linux/.config',
    `/usr/lib/modules/${release}/config`,
    `/usr/lib/ostree-boot/config-${release}`,
    `/usr/lib/kernel/config-${release}`,
    `/usr/src/linux-headers-${release}/.config`,
    `/lib/modules/${release}/build/.config`,
  ];
}
