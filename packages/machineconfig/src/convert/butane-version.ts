import { memberOf, type SyntaxNode } from '@slipway/ignition';
import { issueCode } from '../errors.ts';
import type { ConversionReport } from './conversion-report.ts';

export type ButaneVariant = 'fcos' | 'flatcar' | 'openshift';

/** A published version of Butane, by the Ignition 3.x that it stands for. */
export type ButaneVersion = { readonly variant: ButaneVariant; readonly minor: number };

/** Minor version of Ignition 3.x by variant and version. */
const minors: Readonly<Record<ButaneVariant, Readonly<Record<string, number>>>> = {
  fcos: {
    '1.0.0': 0,
    '1.1.0': 1,
    '1.2.0': 2,
    '1.3.0': 2,
    '1.4.0': 3,
    '1.5.0': 4,
    '1.6.0': 5,
    '1.7.0': 6,
  },
  flatcar: { '1.0.0': 3, '1.1.0': 4 },
  openshift: {
    ...byRelease([8, 9, 10, 11, 12, 13], 2),
    ...byRelease([14, 15, 16, 17, 18], 4),
    ...byRelease([19, 20, 21, 22], 5),
    '5.0.0': 5,
  },
};

function byRelease(releases: readonly number[], minor: number): Record<string, number> {
  return Object.fromEntries(releases.map((release) => [`4.${release}.0`, minor]));
}

/** Reads variant and version; `undefined`, and reported, when it is none that can be converted. */
export function readButaneVersion(
  report: ConversionReport,
  root: SyntaxNode,
): ButaneVersion | undefined {
  const variant = memberOf(root, 'variant');
  const version = memberOf(root, 'version');
  const variantText = variant?.kind === 'string' ? variant.value : '';
  if (!isVariant(variantText)) {
    report.refuse(issueCode.convertVersion, variant ?? root, {
      message: `${JSON.stringify(variantText)} is no variant of Butane that can be converted`,
      hint: `known variants: ${Object.keys(minors).join(', ')}`,
    });
    return undefined;
  }
  const known = minors[variantText];
  const versionText = version?.kind === 'string' ? version.value : '';
  const minor = Object.hasOwn(known, versionText) ? known[versionText] : undefined;
  if (minor !== undefined) return { variant: variantText, minor };
  report.refuse(issueCode.convertVersion, version ?? root, {
    message: `${JSON.stringify(versionText)} is no published version of variant ${variantText}`,
    hint: `known versions: ${Object.keys(known).join(', ')}`,
  });
  return undefined;
}

function isVariant(text: string): text is ButaneVariant {
  return Object.hasOwn(minors, text);
}
