import type { HostFiles, HostPath } from '@slipway/host';
import { readHostText } from '../../host-text/read-host-text.ts';
import type { CgroupDriver } from './cgroup-driver.ts';

/** What the files of a container runtime say, as far as a node has to agree with them. */
export type RuntimeConfiguration = {
  readonly runtime: 'containerd' | 'CRI-O';
  /** Files that were read, in the order in which they count. */
  readonly sources: readonly HostPath[];
  /** As written, else the default of the runtime. */
  readonly cgroupDriver: CgroupDriver;
  /** As written; undefined: the runtime's own. */
  readonly sandboxImage?: string;
  /** Only runtimes that tell their driver over the CRI write such a file: version 3 of containerd's. */
  readonly tellsDriver: boolean;
};

const containerdFile = '/etc/containerd/config.toml';
const crioFile = '/etc/crio/crio.conf';
const crioFolder = '/etc/crio/crio.conf.d';

/** Reads the files of the runtime that listens on `socket`; undefined when it has none. */
export async function readRuntimeConfiguration(
  files: HostFiles,
  socket: string,
): Promise<RuntimeConfiguration | undefined> {
  const isCrio = /cri-?o/.test(socket);
  const paths = isCrio
    ? [crioFile, ...(await files.list(crioFolder)).map((name) => `${crioFolder}/${name}`)]
    : [containerdFile];
  const texts = await Promise.all(
    paths.map(async (path) => ({ path, text: await readHostText(files, path) })),
  );
  const sources = texts.flatMap(({ path, text }) => (text === undefined ? [] : [path]));
  if (sources.length === 0) return undefined;
  const text = texts.map((file) => file.text ?? '').join('\n');
  return { ...(isCrio ? parseCrio(text) : parseContainerd(text)), sources };
}

/** Of containerd's config.toml, versions 2 and 3; runc without SystemdCgroup uses the file system. */
export function parseContainerd(text: string): Omit<RuntimeConfiguration, 'sources'> {
  const sandboxImage = lastText(text, 'sandbox_image') ?? lastText(text, 'sandbox');
  return {
    runtime: 'containerd',
    cgroupDriver: lastWord(text, 'SystemdCgroup') === 'true' ? 'systemd' : 'cgroupfs',
    tellsDriver: lastWord(text, 'version') === '3',
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  };
}

/** Of CRI-O's crio.conf and crio.conf.d; every version that runs Kubernetes 1.34 tells its driver. */
export function parseCrio(text: string): Omit<RuntimeConfiguration, 'sources'> {
  const sandboxImage = lastText(text, 'pause_image');
  return {
    runtime: 'CRI-O',
    cgroupDriver: lastText(text, 'cgroup_manager') === 'cgroupfs' ? 'cgroupfs' : 'systemd',
    tellsDriver: true,
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  };
}

/** Value of the last line `key = "value"`; comments are none. */
function lastText(text: string, key: string): string | undefined {
  const pattern = new RegExp(`^\\s*${key}\\s*=\\s*(["'])(.*?)\\1`, 'gm');
  return Array.from(text.matchAll(pattern), ([, , value]) => value).at(-1);
}

function lastWord(text: string, key: string): string | undefined {
  const pattern = new RegExp(`^\\s*${key}\\s*=\\s*([A-Za-z0-9]+)`, 'gm');
  return Array.from(text.matchAll(pattern), ([, value]) => value).at(-1);
}
