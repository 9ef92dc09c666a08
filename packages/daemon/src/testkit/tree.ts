import type { Host, HostPath } from '@slipway/host';
import { observePath } from '../observe.ts';

/** One line per path below the folders: type, owner, mode, digest or target. Two equal trees are equal hosts. */
export async function describeTree(
  host: Host,
  folders: readonly HostPath[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const folder of folders) await describeInto(lines, host, folder);
  return lines;
}

async function describeInto(lines: string[], host: Host, path: HostPath): Promise<void> {
  const image = await observePath(host, path);
  // systemd leaves the folders of links behind; what counts are the links.
  if (!/\.(wants|requires)$/.test(path)) lines.push(`${path} ${JSON.stringify(image)}`);
  if (image.type !== 'directory') return;
  for (const name of await host.files.list(path))
    await describeInto(lines, host, `${path}/${name}`);
}
