import type { SourceRange } from './source-text.ts';
import type { SyntaxNode } from './syntax-tree.ts';

const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
/** What kubectl's reader takes for a boolean: YAML 1.1, since manifests are read that way. */
const trueWords = ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'];
const falseWords = ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'];
const booleans = new Map([
  ...trueWords.map((word) => [word, true] as const),
  ...falseWords.map((word) => [word, false] as const),
]);
const floatPattern = /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const specialFloats = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const int64Limit = 2n ** 63n;

/**
 * The value of a plain (unquoted) YAML scalar, resolved as `kubectl apply` does: `0644` and `0o644` are octal,
 * `yes` and `on` are booleans, dates and versions are texts.
 */
export function resolvePlainScalar(text: string, range: SourceRange): SyntaxNode {
  if (nulls.has(text)) return { kind: 'null', range };
  const boolean = booleans.get(text);
  if (boolean !== undefined) return { kind: 'boolean', value: boolean, range };
  return resolveNumber(text, range) ?? { kind: 'string', value: text, range };
}

function resolveNumber(text: string, range: SourceRange): SyntaxNode | undefined {
  const [sign, digits] = /^[-+]/.test(text) ? [text[0], text.slice(1)] : ['', text];
  const integer = integerOf(digits.replaceAll('_', ''));
  if (integer !== undefined) {
    const exact = sign === '-' ? -integer.value : integer.value;
    const isInt64 = exact < int64Limit && exact >= -int64Limit;
    const value = Number(exact);
    return isInt64
      ? { kind: 'integer', value, notation: integer.notation, range }
      : { kind: 'number', value, range };
  }
  if (specialFloats.test(text)) return { kind: 'number', value: Number.NaN, range };
  if (floatPattern.test(text)) {
    return { kind: 'number', value: Number(text.replaceAll('_', '')), range };
  }
  return undefined;
}

function integerOf(
  digits: string,
): { value: bigint; notation: 'decimal' | 'octal' | 'other' } | undefined {
  if (/^(?:0|[1-9][0-9]*)$/.test(digits)) return { value: BigInt(digits), notation: 'decimal' };
  const octal = /^0o?([0-7]+)$/.exec(digits)?.[1];
  if (octal !== undefined) return { value: BigInt(`0o${octal}`), notation: 'octal' };
  if (/^0x[0-9a-fA-F]+$/.test(digits) || /^0b[01]+$/.test(digits)) {
    return { value: BigInt(digits), notation: 'other' };
  }
  return undefined;
}
