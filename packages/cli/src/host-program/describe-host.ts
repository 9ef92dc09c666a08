import { createHash } from 'node:crypto';
import { arch, release } from 'node:os';
import type { NodeDescription } from '@slipway/bootstrap';
import type { Host, HostPath } from '@slipway/host';

/** Version that stand-in kubelets report: the one whose API the embedded server speaks. */
const kubeletVersion = 'v1.37.2';

async function readText(host: Host, path: HostPath): Promise<string> {
  const stat = await host.files.stat(path);
  if (stat?.type !== 'file') return '';
  return Buffer.from(await host.files.read(path)).toString('utf8');
}

/** What the stand-in kubelet says of a host, from the host's own files. */
export async function describeHost(
  host: Host,
  nodeName: string,
  address: string,
): Promise<NodeDescription> {
  // /etc/os-release is a link into /usr on most systems.
  const osRelease = await readText(host, '/usr/lib/os-release');
  const machineId = (await readText(host, '/etc/machine-id')).trim();
  return {
    nodeName,
    addresses: [address],
    bootId: (await host.boot.id()).trim(),
    machineId: machineId === '' ? derivedMachineId(nodeName) : machineId,
    kubeletVersion,
    osImage: /^PRETTY_NAME="?(.*?)"?$/m.exec(osRelease)?.[1] ?? 'Linux',
    kernelVersion: release(),
    containerRuntimeVersion: 'none://',
    architecture: arch() === 'x64' ? 'amd64' : arch(),
  };
}

function derivedMachineId(nodeName: string): string {
  return createHash('sha256').update(nodeName).digest('hex').slice(0, 32);
}
