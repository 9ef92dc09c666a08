import type { Issue } from '@slipway/base';
import { issueCode } from '../errors.ts';
import type { ConfigDiff } from './config-diff.ts';

/** What the host can do; judged by the daemon, on the host. */
export type HostAbilities = {
  /** Why kernel arguments cannot be changed here; undefined: the boot loader is known. */
  readonly kernelArgumentsRefusal?: string;
};

/** Touching this file on a host asks for a full reapplication; it cannot be declared. */
export const forceFilePath = '/run/machine-config-daemon-force';

/** Why the differences cannot be applied on a host with these abilities; empty: they can. */
export function reconcilable(diff: ConfigDiff, abilities: HostAbilities): readonly Issue[] {
  const issues: Issue[] = [];
  if (diff.kernelArguments !== undefined && abilities.kernelArgumentsRefusal !== undefined)
    issues.push({
      code: issueCode.kernelArgumentsIrreconcilable,
      severity: 'error',
      path: 'spec.kernelArguments',
      message: `kernel arguments cannot be changed on this host: ${abilities.kernelArgumentsRefusal}`,
      hint: 'remove spec.kernelArguments, or install a boot loader configuration that is known',
    });
  if (diff.files.some(({ path, change }) => path === forceFilePath && change !== 'removed'))
    issues.push({
      code: issueCode.forceFile,
      severity: 'error',
      path: 'spec.config.storage.files',
      message: `${forceFilePath} asks the daemon to reapply everything and cannot be declared`,
      hint: 'touch it on the host instead',
    });
  return issues;
}
