import { UserError } from '@slipway/base';
import {
  type BootstrapErrorCode,
  formatKubernetesVersion,
  parseKubernetesVersion,
} from '@slipway/bootstrap';

/**
 * A version to upgrade to, with the `v`.
 * @throws UserError `bootstrap.upgrade.version`
 */
export function upgradeVersion(text: string): string {
  const parsed = parseKubernetesVersion(text);
  if (parsed !== undefined) return formatKubernetesVersion(parsed);
  const code: BootstrapErrorCode = 'bootstrap.upgrade.version';
  throw new UserError(`upgrade to ${text}: it is no version such as v1.37.2`, { code });
}
