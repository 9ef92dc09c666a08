import type { HostFiles, HostPath } from '@slipway/host';
import { readHostText } from '../../host-text/read-host-text.ts';
import type { CgroupDriver } from './cgroup-driver.ts';
import { type ContainerdFile, readContainerdFiles } from './containerd-files.ts';
import { type TomlEntry, tomlEntries } from './toml-entries.ts';

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
  if (/cri-?o/.test(socket)) return readCrio(files);
  const found = await readContainerdFiles(files, containerdFile);
  return found.length === 0
    ? undefined
    : { ...decideContainerd(found), sources: found.map(({ path }) => path) };
}

async function readCrio(files: HostFiles): Promise<RuntimeConfiguration | undefined> {
  const names = await files.list(crioFolder);
  const paths = [crioFile, ...names.map((name) => `${crioFolder}/${name}`)];
  const texts = await Promise.all(
    paths.map(async (path) => ({ path, text: await readHostText(files, path) })),
  );
  const sources = texts.flatMap(({ path, text }) => (text === undefined ? [] : [path]));
  if (sources.length === 0) return undefined;
  return { ...decideCrio(texts.flatMap(({ text }) => tomlEntries(text ?? ''))), sources };
}

type Decided = Omit<RuntimeConfiguration, 'sources'>;

/** Of containerd's config.toml, versions 1 to 4; runc without SystemdCgroup uses the file system. */
function decideContainerd(files: readonly ContainerdFile[]): Decided {
  const version = versionOf(files);
  const entries = version < 3 ? withWholePlugins(files) : files.flatMap((file) => file.entries);
  const runtime = lastValue(entries, ['containerd', 'default_runtime_name']) ?? 'runc';
  const isSystemd = lastValue(entries, ['runtimes', runtime, 'options', 'SystemdCgroup']);
  const sandboxImage = entries.findLast(namesSandboxImage)?.value;
  return {
    runtime: 'containerd',
    cgroupDriver: isSystemd === 'true' ? 'systemd' : 'cgroupfs',
    tellsDriver: version >= 3,
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  };
}

/** Of the file that imports the others; without one it is the first. */
function versionOf([main]: readonly ContainerdFile[]): number {
  const written = main?.entries.find(({ path }) => path.length === 1 && path[0] === 'version');
  return Number(written?.value ?? 1);
}

/**
 * containerd 1.x does not merge a plugin of two files: what an import says of a plugin replaces all that
 * was said before, so that an import that only names a registry turns SystemdCgroup off again.
 */
function withWholePlugins(files: readonly ContainerdFile[]): readonly TomlEntry[] {
  return files.flatMap(({ entries }, index) => {
    const later = files.slice(index + 1).flatMap((file) => file.entries);
    const replaced = new Set(later.map(pluginOf));
    return entries.filter((entry) => {
      const plugin = pluginOf(entry);
      return plugin === undefined || !replaced.has(plugin);
    });
  });
}

function pluginOf({ path: [plugins, name] }: TomlEntry): string | undefined {
  return plugins === 'plugins' ? name : undefined;
}

/** Up to version 2 a key of the CRI's plugin; from version 3 on one of the pinned images. */
function namesSandboxImage({ path, value }: TomlEntry): boolean {
  if (value === undefined || value === '') return false;
  const [key, table] = path.toReversed();
  return key === 'sandbox_image'
    ? table === 'io.containerd.grpc.v1.cri' || table === 'cri'
    : key === 'sandbox' && table === 'pinned_images';
}

/** Of CRI-O's crio.conf and crio.conf.d; every version that runs Kubernetes 1.34 tells its driver. */
function decideCrio(entries: readonly TomlEntry[]): Decided {
  const sandboxImage = lastValue(entries, ['crio', 'image', 'pause_image']);
  const manager = lastValue(entries, ['crio', 'runtime', 'cgroup_manager']);
  return {
    runtime: 'CRI-O',
    cgroupDriver: manager === 'cgroupfs' ? 'cgroupfs' : 'systemd',
    tellsDriver: true,
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  };
}

/** Value of the last key whose path ends with `end`. */
function lastValue(entries: readonly TomlEntry[], end: readonly string[]): string | undefined {
  return entries.findLast(
    ({ path, value }) =>
      value !== undefined &&
      path.length >= end.length &&
      end.every((part, index) => part === path[path.length - end.length + index]),
  )?.value;
}
