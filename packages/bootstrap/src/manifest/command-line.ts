import { compareBytes } from '@slipway/base';
import type { Argument } from '../config/configuration.ts';

/** Flags by name, before the user's own. */
export type DefaultFlags = Readonly<Record<string, string>>;

/**
 * `--name=value` of every flag: defaults sorted by name, then the user's in their order. A name that the
 * user gives replaces the default of that name, however often it is given; with a merge method (v1) the
 * last one of the name is appended or prepended to the default instead (util/arguments.go).
 */
export function commandLine(
  defaults: DefaultFlags,
  extraArgs: readonly Argument[],
): readonly string[] {
  const last = new Map(extraArgs.map((argument) => [argument.name, argument]));
  const base = Object.entries(defaults)
    .sort(([left], [right]) => compareBytes(left, right))
    .flatMap(([name, value]) => {
      const given = last.get(name);
      if (given === undefined) return [flag(name, value)];
      if (given.mergeMethod === undefined) return [];
      return [flag(name, mergeValue(value, given))];
    });
  const own = extraArgs
    .filter(({ mergeMethod }) => mergeMethod === undefined)
    .map(({ name, value }) => flag(name, value));
  return [...base, ...own];
}

/** The value of a flag after the user's argument of the same name. */
export function mergeValue(base: string, { value, mergeMethod }: Argument): string {
  if (mergeMethod === 'append') return `${base}${value}`;
  return mergeMethod === 'prepend' ? `${value}${base}` : value;
}

/** The last argument of a name; undefined when it is not given. */
export function lastArgument(extraArgs: readonly Argument[], name: string): Argument | undefined {
  return extraArgs.findLast((argument) => argument.name === name);
}

function flag(name: string, value: string): string {
  return `--${name}=${value}`;
}
