import type { JsonObject, JsonValue } from '@slipway/base';
import {
  type IgnitionConfig,
  type IgnitionFile,
  type IgnitionUnit,
  managedUserName,
} from './model.ts';

/**
 * A config as the plain JSON object of Ignition 3.4.0: what goes into `spec.config`. Absent members and empty
 * lists are left out, so equal configs give equal objects.
 */
export function encodeIgnition(config: IgnitionConfig): JsonObject {
  return withoutAbsent({
    ignition: { version: config.version },
    storage: config.files.length > 0 ? { files: config.files.map(encodeFile) } : undefined,
    systemd: config.units.length > 0 ? { units: config.units.map(encodeUnit) } : undefined,
    passwd: config.sshAuthorizedKeys && {
      users: [
        withoutAbsent({
          name: managedUserName,
          sshAuthorizedKeys: nonEmpty(config.sshAuthorizedKeys),
        }),
      ],
    },
  });
}

function encodeFile(file: IgnitionFile): JsonObject {
  const { contents } = file;
  return withoutAbsent({
    path: file.path,
    mode: file.mode,
    overwrite: file.overwrite,
    user: file.user && withoutAbsent(file.user),
    group: file.group && withoutAbsent(file.group),
    contents:
      contents &&
      withoutAbsent({
        source: contents.source,
        compression: contents.compression,
        verification: contents.verification && withoutAbsent(contents.verification),
      }),
  });
}

function encodeUnit(unit: IgnitionUnit): JsonObject {
  return withoutAbsent({
    name: unit.name,
    enabled: unit.enabled,
    mask: unit.mask,
    contents: unit.contents,
    dropins: nonEmpty(unit.dropins.map((dropin) => withoutAbsent(dropin))),
  });
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function withoutAbsent(members: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const present: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) present[key] = value;
  }
  return present;
}
