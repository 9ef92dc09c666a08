import { formatIssue } from '@slipway/base';
import { emptyIgnitionConfig, readIgnition, treeFromJson } from '@slipway/ignition';
import type { HostConfig } from '@slipway/machineconfig';
import { daemonError } from '../failure.ts';
import type { StoredConfig } from '../state/stored-config.ts';

/**
 * Reads a rendered configuration. It was validated before it was rendered; who bypassed that is told
 * here, before anything is written. Throws `daemon.configuration-invalid` with every finding.
 */
export function readHostConfig({ name, spec }: StoredConfig): HostConfig {
  const kernelArguments = spec?.kernelArguments ?? [];
  if (spec?.config === undefined) return { ignition: emptyIgnitionConfig, kernelArguments };
  const { config, issues } = readIgnition(treeFromJson(spec.config), { prefix: 'spec.config' });
  if (config !== undefined) return { ignition: config, kernelArguments };
  const errors = issues.filter(({ severity }) => severity === 'error');
  const list = errors.map(formatIssue).join('; ');
  throw daemonError('daemon.configuration-invalid', `read machineconfig ${name}: ${list}`);
}
