import type { HostFiles, HostPath } from '@slipway/host';
import type { Argument } from '../config/configuration.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { followLinks } from '../host-text/follow-links.ts';

/** A flag; without a value it is a switch that is on. */
export type KubeletFlag = { readonly name: string; readonly value?: string };

export type KubeletFlagPlace = { readonly place: string; readonly flags: readonly KubeletFlag[] };

/** `kubeletExtraArgs` of the configuration, by the name it has there. */
const configured = 'nodeRegistration.kubeletExtraArgs';
/** Flags of the package's user: Debian's, RPM's. */
const flagFiles: readonly HostPath[] = ['/etc/default/kubelet', '/etc/sysconfig/kubelet'];
/** Where systemd looks for units; the first file of a name counts. Source: systemd.unit(5). */
const unitFolders: readonly HostPath[] = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/**
 * Every place that the kubelet of a host gets flags from; of equal ones the last counts: what kubeadm
 * wrote, the configuration, unit and drop-ins, and the files that those name.
 */
export async function readKubeletFlags(
  files: HostFiles,
  kubeletExtraArgs: readonly Argument[],
): Promise<readonly KubeletFlagPlace[]> {
  const units = await readUnits(files);
  const named = units.flatMap(({ text }) => environmentFiles(text));
  const others = [...new Set([...named, ...flagFiles])].filter(
    (path) => path !== kubernetesPaths.kubeletFlags,
  );
  const written = await readTexts(files, [kubernetesPaths.kubeletFlags]);
  const environment = await readTexts(files, others);
  const place = ({ path, text }: PlacedText) => ({ place: path, flags: flagsOf(text) });
  return [
    ...written.map(place),
    { place: configured, flags: kubeletExtraArgs.map(({ name, value }) => ({ name, value })) },
    ...units.map(place),
    ...environment.map(place),
  ];
}

/** The flag that the kubelet will get: what kubeadm wrote is written anew from the configuration. */
export function effectiveFlag(
  places: readonly KubeletFlagPlace[],
  name: string,
): KubeletFlag | undefined {
  return places
    .filter(({ place }) => place !== kubernetesPaths.kubeletFlags)
    .flatMap(({ flags }) => flags)
    .findLast((flag) => flag.name === name);
}

/** Flags of a unit, of a command line or of an environment file (`KUBELET_KUBEADM_ARGS="--a=b --c d"`). */
export function flagsOf(text: string): readonly KubeletFlag[] {
  const uncommented = text.replace(/^\s*[#;].*$/gm, '');
  const found = uncommented.matchAll(
    /(?:^|[\s"'=])--?([a-z][a-z0-9-]*)(?:(?:=|[ \t]+(?!-))([^\s"']*)|(?=[\s"']|$))/gm,
  );
  return Array.from(found, ([, name = '', value]) => ({
    name,
    ...(value === undefined ? {} : { value }),
  }));
}

type PlacedText = { readonly path: HostPath; readonly text: string };

async function readUnits(files: HostFiles): Promise<readonly PlacedText[]> {
  const paths = new Map<string, HostPath>();
  for (const folder of unitFolders) {
    const dropIns = `${folder}/kubelet.service.d`;
    const names = (await files.list(dropIns)).filter((name) => name.endsWith('.conf'));
    for (const name of names) if (!paths.has(name)) paths.set(name, `${dropIns}/${name}`);
  }
  const sorted = [...paths].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const units = await readTexts(
    files,
    unitFolders.map((folder) => `${folder}/kubelet.service`),
  );
  return [
    ...units.slice(0, 1),
    ...(await readTexts(
      files,
      sorted.map(([, path]) => path),
    )),
  ];
}

/** Texts of those that are files: a unit that is masked is a link to a device. */
async function readTexts(
  files: HostFiles,
  paths: readonly HostPath[],
): Promise<readonly PlacedText[]> {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const found = await followLinks(files, path);
      if (found?.stat.type !== 'file') return [];
      return [{ path, text: Buffer.from(await files.read(found.path)).toString('utf8') }];
    }),
  );
  return texts.flat();
}

/** `EnvironmentFile=-/etc/default/kubelet`. */
function environmentFiles(unit: string): readonly HostPath[] {
  return Array.from(
    unit.matchAll(/^\s*EnvironmentFile\s*=\s*-?(\/[^\s*?]+)\s*$/gm),
    ([, path = '']) => path,
  );
}
