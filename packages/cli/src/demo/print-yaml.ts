import { isJsonObject } from '@slipway/base';

/** A JSON value as block YAML, for showing to people; strings that could read as something else are quoted. */
export function printYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = lines(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (!isJsonObject(value)) return [scalar(value)];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = lines(member);
    if (!isJsonObject(member) && !Array.isArray(member)) return [`${key}: ${inner[0] ?? ''}`];
    return [`${key}:`, ...inner.map((line) => `  ${line}`)];
  });
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[A-Za-z/][A-Za-z0-9 /._;,:=+-]*$/.test(value) &&
    !/: |^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
