import type { NamedFinding } from './findings.ts';
import type { IntegerNode } from './syntax-tree.ts';

const maxMode = 0o777;
const maxWithSpecialBits = 0o7777;

/** Modes that people write: whoever writes these digits as a decimal number meant them octal. */
const usualModes = new Set([
  0o400, 0o440, 0o444, 0o500, 0o550, 0o555, 0o600, 0o640, 0o644, 0o660, 0o664, 0o666, 0o700, 0o710,
  0o711, 0o740, 0o744, 0o750, 0o751, 0o755, 0o770, 0o775, 0o777,
]);

/**
 * What is wrong with a mode. Where the text is YAML and the mode is written as a decimal number whose digits
 * are a usual octal mode (`mode: 644`), it is refused, with what was probably meant; a plain JSON number,
 * which may come from anywhere, is only refused when it is above 0777.
 */
export function checkMode(mode: IntegerNode): NamedFinding[] {
  const { value, notation } = mode;
  const meant = meantOctal(value, notation);
  const hint = meant === undefined ? undefined : octalHint(meant, notation !== undefined);
  if (value < 0 || value > maxWithSpecialBits) {
    return [
      { name: 'mode-out-of-range', message: `mode ${value} is not between 0 and 0777`, hint },
    ];
  }
  if (value > maxMode) {
    return [
      {
        name: 'mode-special-bits',
        message: `mode ${spell(value)} is above 0777: special bits are not supported`,
        hint,
      },
    ];
  }
  if (meant === undefined || usualModes.has(value)) return [];
  return [
    {
      name: 'mode-looks-decimal',
      message: `mode ${spell(value)} is unusual`,
      hint,
      severity: notation === 'decimal' ? 'error' : 'warning',
    },
  ];
}

function spell(value: number): string {
  return `${value} (0${value.toString(8)} octal)`;
}

/** The octal value of the decimal digits of `value`, when it is a usual mode. */
function meantOctal(value: number, notation: IntegerNode['notation']): number | undefined {
  const digits = String(value);
  if (notation === 'octal' || notation === 'other' || !/^[0-7]{3,4}$/.test(digits))
    return undefined;
  const octal = Number.parseInt(digits, 8);
  return usualModes.has(octal) || octal > maxMode ? octal : undefined;
}

function octalHint(meant: number, isYaml: boolean): string {
  const octal = `0${meant.toString(8)}`;
  return isYaml
    ? `did you mean ${octal}? write mode: ${octal}`
    : `did you mean octal ${octal}? write ${meant}`;
}
