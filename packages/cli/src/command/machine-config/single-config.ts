import { UserError } from '@slipway/base';
import type { HostConfig, TextObject } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { ConfigFile } from './config-file.ts';

/**
 * The one configuration of an accepted file: a MachineConfig, rendered or not, or a bare Ignition config.
 *
 * @throws UserError `cli.machine-config.not-one`
 */
export function singleConfig({ file, objects }: ConfigFile): {
  readonly host: HostConfig;
  readonly object: TextObject;
} {
  const found = objects.flatMap((object) =>
    object.host === undefined ? [] : [{ host: object.host, object }],
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const code: CliErrorCode = 'cli.machine-config.not-one';
  const count = found.length === 0 ? 'no configuration' : `${found.length} configurations`;
  throw new UserError(`read ${file}: it has ${count}, and exactly one is needed`, { code });
}
