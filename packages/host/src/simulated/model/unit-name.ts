/** `getty@.service` for `getty@tty1.service`; undefined when the unit is no instance. */
export function templateOf(unit: string): string | undefined {
  const match = /^(?<prefix>[^@]+)@(?<instance>.+)\.(?<type>[a-z]+)$/.exec(unit);
  if (match?.groups === undefined) return undefined;
  return `${match.groups['prefix']}@.${match.groups['type']}`;
}

/** `tty1` for `getty@tty1.service`, empty for any other name. */
export function instanceOf(unit: string): string {
  return /^[^@]+@(?<instance>.*)\.[a-z]+$/.exec(unit)?.groups?.['instance'] ?? '';
}

/** `service` for `chronyd.service`. */
export function unitType(unit: string): string {
  return unit.slice(unit.lastIndexOf('.') + 1);
}

/** `systemctl` completes a name without a known suffix to a service. */
export function fullName(unit: string): string {
  const known = /\.(?:service|target|socket|timer|path|mount|automount|swap|slice|scope|device)$/;
  return known.test(unit) ? unit : `${unit}.service`;
}

/** Names whose `.d` folders hold drop-ins for `unit`: itself, its template, `a-.service` for `a-b.service`, its type. */
export function dropInNames(unit: string): readonly string[] {
  const type = unitType(unit);
  const stem = unit.slice(0, -type.length - 1);
  const template = templateOf(unit);
  const prefixes: string[] = [];
  for (let at = stem.lastIndexOf('-'); at > 0; at = stem.lastIndexOf('-', at - 1)) {
    prefixes.push(`${stem.slice(0, at + 1)}.${type}`);
  }
  return [unit, ...(template === undefined ? [] : [template]), ...prefixes, type];
}
