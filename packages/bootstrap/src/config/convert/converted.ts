import { compareBytes, isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import type { Path } from '../document/source-node.ts';
import type { Finding } from '../finding.ts';

/** The kinds that a configuration is made of, by the names of v1beta4. */
export const configurationKinds = [
  'InitConfiguration',
  'ClusterConfiguration',
  'JoinConfiguration',
  'ResetConfiguration',
  'UpgradeConfiguration',
  'KubeletConfiguration',
  'KubeProxyConfiguration',
] as const;

export type ConfigurationKind = (typeof configurationKinds)[number];

/** What a document of another version is in v1beta4. */
export type Converted = {
  readonly kind: ConfigurationKind;
  /** Fields of v1beta4, absent where not given. */
  readonly object: JsonObject;
  /** From a path of `object` to the path in the source; the same when absent. */
  readonly sourcePath?: (path: Path) => Path;
};

export type Conversion = {
  readonly documents: readonly Converted[];
  readonly findings: readonly Finding[];
};

/** A member that is an object; empty when it is not there. */
export function objectMember(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isJsonObject(member) ? member : {};
}

/** Without the members that are undefined. */
export function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept = Object.entries(members).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(kept);
}

/** A map of arguments as v1beta4 has them: a list, sorted by name as kubeadm's conversion does. */
export function argumentsOfMap(map: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(map)) return undefined;
  return Object.entries(map)
    .map(([name, value]) => ({ name, value }))
    .sort((left, right) => compareBytes(left.name, right.name));
}

/** Arguments were maps before v1beta4: `extraArgs[2].value` is what was written at `extraArgs.<name>`. */
export function argumentPath(object: JsonObject): (path: Path) => Path {
  return (path) => {
    const at = path.findIndex((part) => /^(?:.*E|e)xtraArgs$/.test(String(part)));
    const index = path[at + 1];
    if (at < 0 || typeof index !== 'number') return path;
    const parent = path.slice(0, at + 1);
    const map = parent.reduce<JsonObject>(
      (found, part) => objectMember(found, String(part)),
      object,
    );
    const name = Object.keys(map).sort(compareBytes)[index];
    return name === undefined ? parent : [...parent, name];
  };
}
