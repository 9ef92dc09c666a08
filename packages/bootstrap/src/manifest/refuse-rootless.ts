import { UserError } from '@slipway/base';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';

/**
 * The feature gate RootlessControlPlane runs each component as a user of its own, who is made on the host
 * and owns the keys. It is alpha, and not built: a manifest without it would say that it is on.
 * @throws UserError `bootstrap.manifest.rootless` when it is on
 */
export function refuseRootless({ featureGates }: ClusterConfiguration, component: string): void {
  if (featureGates['RootlessControlPlane'] !== true) return;
  const code: BootstrapErrorCode = 'bootstrap.manifest.rootless';
  const reason = 'the feature gate RootlessControlPlane is on, and components run as root only';
  throw new UserError(`make manifest of ${component}: ${reason}`, { code });
}
