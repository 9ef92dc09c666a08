import type { ObjectMember, ObjectShape, SyntaxNode } from '@slipway/ignition';
import { type ConversionReport, placeOfMember, spellingOf } from './conversion-report.ts';

/** What becomes of the value of a field; `undefined` leaves it out. */
export type FieldRule = (value: SyntaxNode) => SyntaxNode | undefined;

/**
 * The value without the fields that the shape knows and slipway does not support, which are reported. Fields that
 * have a rule are given to it; fields that the shape does not know are left to validation.
 */
export function keepFields(
  report: ConversionReport,
  node: SyntaxNode,
  shape: ObjectShape,
  rules: Readonly<Record<string, FieldRule>> = {},
): SyntaxNode {
  if (node.kind !== 'object') return node;
  const members = node.members.flatMap((member): ObjectMember[] => {
    const rule = Object.hasOwn(rules, member.key) ? rules[member.key] : undefined;
    if (rule !== undefined) {
      const value = rule(member.value);
      return value === undefined ? [] : [{ ...member, value }];
    }
    if (!Object.hasOwn(shape.unsupported, member.key)) return [member];
    reportUnsupported(report, member, shape.unsupported[member.key] ?? '');
    return [];
  });
  return { ...node, members };
}

/** One report per entry of a list, so that each has its line. */
function reportUnsupported(report: ConversionReport, member: ObjectMember, reason: string): void {
  const { value } = member;
  if (saysNothing(value)) return;
  const message = `${spellingOf(member)} has no counterpart: ${reason}`;
  if (value.kind !== 'array') report.dropped(placeOfMember(member), { message });
  else for (const item of value.items) report.dropped(item, { message });
}

/** True for null and for empty lists, objects and texts, which declare nothing. */
export function saysNothing(node: SyntaxNode): boolean {
  switch (node.kind) {
    case 'null':
      return true;
    case 'array':
      return node.items.length === 0;
    case 'object':
      return node.members.length === 0;
    case 'string':
      return node.value === '';
    default:
      return false;
  }
}
