import type { Issue } from '@slipway/base';
import { emptyIgnitionConfig } from '@slipway/ignition';
import { diffConfigs, type HostConfig } from '../diff/config-diff.ts';
import { issueCode } from '../errors.ts';
import { planDisruption } from './plan.ts';
import { type DisruptionPolicy, fileMatch } from './policy.ts';

/** A warning for each file that would be written without any service being told, when `host` is applied as a whole. */
export function inertIssues(host: HostConfig, policy: DisruptionPolicy): readonly Issue[] {
  const nothing: HostConfig = { ignition: emptyIgnitionConfig, kernelArguments: [] };
  const { inert } = planDisruption(diffConfigs(nothing, host), policy);
  return inert.map((path) => {
    const { rule, policy: name } = fileMatch(path, policy);
    const cause = rule === 'default' ? 'the default for files' : `the policy for ${name}`;
    const index = host.ignition.files.findIndex((file) => file.path === path);
    return {
      code: issueCode.inert,
      severity: 'warning',
      path: `spec.config.storage.files[${index}]`,
      message: `${path} will be inert: ${cause} is None, so no service is told of the change`,
      hint: 'add a node disruption policy for the path to MachineConfiguration cluster first',
    };
  });
}
