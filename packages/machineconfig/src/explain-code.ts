import { compareBytes } from '@slipway/base';
import { explain, issueCatalogue, nearestKey } from '@slipway/ignition';
import { codeCatalogue } from './code-catalogue.ts';

export type CodeExplanation =
  | { readonly kind: 'known'; readonly text: string }
  /** `nearest` is the code that was probably meant. */
  | { readonly kind: 'unknown'; readonly nearest?: string };

const ownCodes: ReadonlyMap<string, (typeof codeCatalogue)[keyof typeof codeCatalogue]> = new Map(
  Object.entries(codeCatalogue),
);

/** Every code of findings in MachineConfigs, pools, policies and their Ignition, in byte order. */
export function explainableCodes(): readonly string[] {
  return [...ownCodes.keys(), ...issueCatalogue.keys()].toSorted(compareBytes);
}

/** Explains a code of this room or of Ignition, which may be written without `ignition.`. Case does not matter. */
export function explainCode(code: string): CodeExplanation {
  const wanted = code.trim().toLowerCase();
  const own = ownCodes.get(wanted);
  if (own !== undefined) {
    const text = `${wanted} (${own.severity}, a rule of slipway)\n\n${own.reason}\n\nFix: ${own.fix}\n`;
    return { kind: 'known', text };
  }
  const text = explain(wanted);
  if (text !== undefined) return { kind: 'known', text };
  const nearest = nearestCode(wanted);
  return nearest === undefined ? { kind: 'unknown' } : { kind: 'unknown', nearest };
}

const shortestFragment = 4;

/** Compared with whole codes, and with what follows their first word: few write the prefix, or all of it. */
function nearestCode(wanted: string): string | undefined {
  const codes = explainableCodes();
  const shorter = codes.map((code) => code.slice(code.indexOf('.') + 1));
  const whole = nearestKey(wanted, codes);
  if (whole !== undefined) return whole;
  const part = nearestKey(wanted, shorter);
  if (part !== undefined) return codes[shorter.indexOf(part)];
  if (wanted.length < shortestFragment) return undefined;
  const inside = codes.find((code) => code.includes(wanted));
  if (inside !== undefined) return inside;
  const cut = shorter.map((code) => code.slice(0, wanted.length));
  return codes[cut.indexOf(nearestKey(wanted, cut) ?? '')];
}
