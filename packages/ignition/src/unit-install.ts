import type { UnitFile } from './unit-file.ts';

/** What the `[Install]` section of a unit asks for when the unit is enabled. */
export type UnitInstall = {
  readonly wantedBy: readonly string[];
  readonly requiredBy: readonly string[];
  readonly upheldBy: readonly string[];
  readonly alias: readonly string[];
  readonly also: readonly string[];
  readonly defaultInstance?: string;
};

/** Reads the `[Install]` section; an empty value empties the list, as in systemd. */
export function readInstall(unit: UnitFile): UnitInstall {
  const defaultInstance = unit.options.findLast(
    ({ section, name }) => section === 'Install' && name === 'DefaultInstance',
  )?.value;
  return {
    wantedBy: listOf(unit, 'WantedBy'),
    requiredBy: listOf(unit, 'RequiredBy'),
    upheldBy: listOf(unit, 'UpheldBy'),
    alias: listOf(unit, 'Alias'),
    also: listOf(unit, 'Also'),
    ...(defaultInstance === undefined ? {} : { defaultInstance }),
  };
}

/** True when any option stands in an `[Install]` section; only then does enabling do something. */
export function hasInstall(unit: UnitFile): boolean {
  return unit.options.some(({ section }) => section === 'Install');
}

function listOf(unit: UnitFile, wanted: string): string[] {
  let words: string[] = [];
  for (const { section, name, value } of unit.options) {
    if (section !== 'Install' || name !== wanted) continue;
    const more = value.split(/[\s\\]+/).filter((word) => word !== '');
    words = more.length === 0 ? [] : [...words, ...more];
  }
  return words;
}
