import type { JsonValue } from '@slipway/base';
import { Document, isScalar, type Pair, visit } from 'yaml';

/**
 * A JSON value as YAML in the form that people write MachineConfigs in: texts of several lines as blocks,
 * modes octal (`0o644`), and nothing that older readers would take for a boolean or a number.
 */
export function formatYaml(value: JsonValue): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, { Pair: (_, pair) => writeModeOctal(pair) });
  return document.toString({ lineWidth: 0 });
}

function writeModeOctal({ key, value }: Pair): undefined {
  const isMode = isScalar(key) && key.value === 'mode';
  if (!isMode || !isScalar(value)) return;
  if (Number.isSafeInteger(value.value) && Number(value.value) >= 0) value.format = 'OCT';
}
