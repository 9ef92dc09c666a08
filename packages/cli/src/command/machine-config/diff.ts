import { type DiffLine, diffConfigs, diffLines } from '@slipway/machineconfig';
import type { CommandContext } from '../program.ts';
import { readAccepted } from './config-file.ts';
import { singleConfig } from './single-config.ts';

export type DiffFlags = { readonly showSecrets?: boolean };

const refused = 3;
const escapeCharacter = String.fromCharCode(27);
const colours: Readonly<Record<DiffLine['kind'], string | undefined>> = {
  title: '1',
  names: '1',
  hunk: '36',
  removed: '31',
  added: '32',
  note: '2',
  context: undefined,
};

/** `slipway machine-config diff`: 0 no difference, 1 a difference, 3 input that is refused. */
export async function diff(
  before: string,
  after: string,
  { showSecrets = false }: DiffFlags,
  context: CommandContext,
): Promise<number> {
  const { output, environment } = context;
  const files = await readAccepted([before, after], context);
  const [left, right] = files ?? [];
  if (left === undefined || right === undefined) return refused;
  const differences = diffConfigs(singleConfig(left).host, singleConfig(right).host);
  const lines = diffLines(differences, { showSecrets });
  const colour = output.isTerminal && (environment.variables['NO_COLOR'] ?? '') === '';
  for (const { kind, text } of lines) {
    const shown = output.isTerminal ? harmless(text) : text;
    const code = colour ? colours[kind] : undefined;
    output.line(
      code === undefined ? shown : `${escapeCharacter}[${code}m${shown}${escapeCharacter}[0m`,
    );
  }
  return lines.length === 0 ? 0 : 1;
}

/** Contents must not steer the terminal that shows them. */
function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t]/gu, '\uFFFD');
}
