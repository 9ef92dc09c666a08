import { UserError } from '@slipway/base';
import type { CliErrorCode } from '../../errors.ts';
import { version } from '../../version.ts';

/** `upgrade apply` and `upgrade node`: not yet; says what can be done instead. */
export function refuseUpgrade(name: string): never {
  const code: CliErrorCode = 'cli.not-in-this-version';
  throw new UserError(
    `run upgrade ${name}: not in slipway ${version}, which plans upgrades; apply it with \`kubeadm upgrade ${name}\` of the target version after \`slipway upgrade plan\` and \`slipway upgrade diff\``,
    { code },
  );
}
