import { TransientError } from '@slipway/base';
import { lockFolder } from '@slipway/host';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { createGround, type GroundFlags, rootOf } from './ground.ts';

/**
 * Does what changes a machine while no other slipway does: two that make an authority at once would
 * each sign with their own.
 * @throws TransientError `cli.bootstrap.busy`, UserError `cli.bootstrap.rootfs`
 */
export async function aloneOnMachine(
  context: CommandContext,
  flags: GroundFlags,
  work: () => Promise<void>,
): Promise<void> {
  createGround(context, flags);
  const root = rootOf(context, flags);
  const lock = await lockFolder(root);
  if ('holder' in lock) {
    const { processId } = lock.holder;
    const who = processId === undefined ? 'another slipway' : `slipway of process ${processId}`;
    const code: CliErrorCode = 'cli.bootstrap.busy';
    throw new TransientError(`change machine ${root}: ${who} is changing it`, { code });
  }
  await using _alone = lock;
  await work();
}
