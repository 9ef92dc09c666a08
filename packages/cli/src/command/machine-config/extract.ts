import { resolve } from 'node:path';
import { hostTree } from '@slipway/machineconfig';
import type { CommandContext } from '../program.ts';
import { readAccepted } from './config-file.ts';
import { singleConfig } from './single-config.ts';
import { writeTree } from './write-tree.ts';

const refused = 3;

/** `slipway machine-config extract`: writes what a host would get below a new or empty directory. */
export async function extract(
  name: string,
  { to }: { readonly to: string },
  context: CommandContext,
): Promise<number> {
  const { output, environment } = context;
  const [file] = (await readAccepted([name], context)) ?? [];
  if (file === undefined) return refused;
  const { host } = singleConfig(file);
  const entries = hostTree(host);
  await writeTree(resolve(environment.workingDirectory, to), entries);
  const count = entries.filter(({ type }) => type !== 'directory').length;
  output.line(`extracted ${count} ${count === 1 ? 'file' : 'files'} to ${to}`);
  const enabled = host.ignition.units.filter((unit) => unit.enabled === true && unit.mask !== true);
  if (enabled.length > 0)
    output.problem(`note: enabled on a host: ${enabled.map((unit) => unit.name).join(', ')}`);
  if (host.kernelArguments.length > 0)
    output.problem(`note: kernel arguments on a host: ${host.kernelArguments.join(' ')}`);
  return 0;
}
