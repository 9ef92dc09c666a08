import type { CatalogueEntry } from './codes/catalogue-entry.ts';
import { documentCodes } from './codes/document-codes.ts';
import { liftCodes } from './codes/lift-codes.ts';
import { passwdCodes } from './codes/passwd-codes.ts';
import { sourceCodes } from './codes/source-codes.ts';
import { storageCodes } from './codes/storage-codes.ts';
import { systemdCodes } from './codes/systemd-codes.ts';

const entries = {
  ...documentCodes,
  ...storageCodes,
  ...sourceCodes,
  ...systemdCodes,
  ...passwdCodes,
  ...liftCodes,
};

/** Name of a finding within this room; its public code is `ignition.<name>`. */
export type FindingName = keyof typeof entries;

const codePrefix = 'ignition.';

/** Every code that this room reports, with its severity, reason and fix; keys are the public codes. */
export const issueCatalogue: ReadonlyMap<string, CatalogueEntry> = new Map(
  Object.entries(entries).map(([name, entry]) => [codePrefix + name, entry]),
);

/** The public code of a finding: `ignition.path-relative`. */
export function codeOf(name: FindingName): string {
  return codePrefix + name;
}

/** The catalogue entry of a finding. */
export function entryOf(name: FindingName): CatalogueEntry {
  return entries[name];
}

/** The first sentence of a finding's reason, worded as a message: lower case and without its full stop. */
export function briefReason(name: FindingName): string {
  return brief(entryOf(name).reason);
}

/** The first sentence of a finding's fix, worded as a hint. */
export function briefFix(name: FindingName): string {
  return brief(entryOf(name).fix);
}

function brief(text: string): string {
  const sentence = text.split(/\.(?:\s|$)/, 1)[0] ?? text;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/**
 * Explains a code in full sentences; `undefined` for one that is not of this room.
 * Accepts the code with and without its `ignition.` prefix.
 */
export function explain(code: string): string | undefined {
  const full = code.startsWith(codePrefix) ? code : codePrefix + code;
  const entry = issueCatalogue.get(full);
  if (entry === undefined) return undefined;
  const origin =
    entry.rule === 'ignition' ? 'a rule of Ignition 3.4.0' : 'a rule of slipway for MachineConfigs';
  return `${full} (${entry.severity}, ${origin})\n\n${entry.reason}\n\nFix: ${entry.fix}\n`;
}

/** The catalogue as a Markdown page, in the order of the codes. */
export function catalogueMarkdown(): string {
  const sections = [...issueCatalogue]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { severity, rule, reason, fix }]) => {
      const origin = rule === 'ignition' ? 'Ignition 3.4.0' : 'slipway';
      return `## ${code}\n\n${severity}, a rule of ${origin}\n\n${reason}\n\n**Fix:** ${fix}\n`;
    });
  return `# Codes of Ignition findings\n\nGenerated from the catalogue; do not edit.\n\n${sections.join('\n')}`;
}
