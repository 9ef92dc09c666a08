import { isJsonObject } from '@slipway/base';
import type { Provenance } from '@slipway/ignition';
import type { Rendered } from './render-pool.ts';

/** Where a MachineConfig, or a value in it, is written; undefined for what is in no file. */
export type PlaceOf = (source: string, path?: string) => string | undefined;

/** What identifies an entry of a list in a merge. */
const entryKeys: readonly string[] = ['path', 'name'];

/**
 * Who won, in lines: the MachineConfigs in merge order, then every value with the one that set it and
 * those that it overrode, latest first.
 */
export function explainRendering(rendered: Rendered, placeOf: PlaceOf): readonly string[] {
  const told = ({ source, path }: Provenance) => {
    const place = placeOf(source, `spec.config.${path}`);
    return place === undefined ? source : `${source} (${place})`;
  };
  const values = [...rendered.provenance].map(([path, origin]) => {
    const keyPath = keyPathOf(path, rendered.spec.config);
    const overridden = rendered.overrides
      .filter((override) => override.keyPath === keyPath)
      .map((override) => told(override.overridden))
      .toReversed();
    const lost = overridden.length === 0 ? '' : `, which overrides ${overridden.join(', then ')}`;
    return `  ${keyPath}: ${told(origin)}${lost}`;
  });
  return [
    `${rendered.name} is made of, later ones winning:`,
    ...rendered.sources.map(
      (source, index) => `  ${index + 1}. ${source} (${placeOf(source) ?? 'as installed'})`,
    ),
    'values:',
    ...values,
    ...(rendered.host.kernelArguments.length === 0
      ? []
      : [`  kernelArguments, joined: ${rendered.host.kernelArguments.join(' ')}`]),
  ];
}

/** A path with indexes as one with keys: `storage.files["/etc/motd"].mode`. */
function keyPathOf(path: string, config: unknown): string {
  let value: unknown = config;
  return path.replaceAll(/\[(\d+)\]|\.?([A-Za-z_$][\w$-]*)/g, (found, index, name) => {
    if (index === undefined) {
      value = isJsonObject(value) ? value[name] : undefined;
      return found;
    }
    value = Array.isArray(value) ? value[Number(index)] : undefined;
    const entry = value;
    const key = entryKeys.find((candidate) => isJsonObject(entry) && candidate in entry);
    const word = isJsonObject(entry) && key !== undefined ? entry[key] : entry;
    return `[${JSON.stringify(word)}]`;
  });
}
