import { Secret, UserError } from '@slipway/base';
import { parseDuration, userKubeconfig } from '@slipway/bootstrap';
import { dayMs } from '@slipway/pki';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { nodeSettings } from './certificate-settings.ts';
import { createGround, type GroundFlags } from './ground.ts';

export type UserKubeconfigFlags = GroundFlags & {
  readonly clientName: string;
  readonly org?: readonly string[];
  readonly token?: string;
  /** Go duration. */
  readonly validityPeriod: string;
  readonly config?: string;
};

/** `kubeconfig user`: the text goes to standard output and nowhere else. */
export async function printUserKubeconfig(
  flags: UserKubeconfigFlags,
  context: CommandContext,
): Promise<void> {
  const { clientName, org = [], token, validityPeriod } = flags;
  const validityMs = parseDuration(validityPeriod);
  if (clientName === '') throw usage('--client-name must not be empty');
  if (validityMs === undefined || validityMs <= 0) {
    throw usage(`--validity-period ${validityPeriod}: it must be a duration such as 24h`);
  }
  if (validityMs > 365 * dayMs) {
    context.output.problem('warning: a certificate that is good for more than a year is a risk');
  }
  const ground = createGround(context, flags);
  const settings = await nodeSettings(flags, ground, context);
  const text = await userKubeconfig({
    files: ground.files,
    clock: ground.clock,
    settings,
    clientName,
    organizations: org,
    validityMs,
    ...(token === undefined || token === '' ? {} : { token: new Secret(token) }),
  });
  context.output.line(text.trimEnd());
}

function usage(message: string): UserError {
  const code: CliErrorCode = 'cli.usage';
  return new UserError(`make kubeconfig of a user: ${message}`, { code });
}
