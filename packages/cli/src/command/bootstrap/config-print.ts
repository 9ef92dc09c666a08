import { UserError } from '@slipway/base';
import {
  joinDocuments,
  printComponentDefaults,
  printInitDefaults,
  printJoinDefaults,
  printResetDefaults,
  printUpgradeDefaults,
} from '@slipway/bootstrap';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { createGround, type GroundFlags } from './ground.ts';

export type PrintFlags = GroundFlags & { readonly componentConfigs?: readonly string[] };

/** `config print init-defaults` and its like. */
export async function printDefaults(
  workflow: 'init' | 'join' | 'reset' | 'upgrade',
  flags: PrintFlags,
  context: CommandContext,
): Promise<void> {
  context.output.line(textOf(workflow, flags, context).trimEnd());
}

function textOf(
  workflow: 'init' | 'join' | 'reset' | 'upgrade',
  flags: PrintFlags,
  context: CommandContext,
): string {
  if (workflow === 'reset') return printResetDefaults();
  if (workflow === 'upgrade') return printUpgradeDefaults();
  if (workflow === 'join')
    return printJoinDefaults(createGround(context, flags).machine.hostname());
  const components = (flags.componentConfigs ?? []).map((kind) => {
    if (kind === 'KubeletConfiguration' || kind === 'KubeProxyConfiguration')
      return printComponentDefaults(kind);
    const code: CliErrorCode = 'cli.usage';
    const known = 'KubeletConfiguration and KubeProxyConfiguration';
    throw new UserError(`print --component-configs ${kind}: known are ${known}`, { code });
  });
  return joinDocuments([printInitDefaults(), ...components]);
}
