import type { MachineConfiguration } from '@slipway/api';
import { type Issue, UserError } from '@slipway/base';
import { renderIssue } from '@slipway/ignition';
import { policyDeclared, positionOf, previewPlan } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { type ConfigFile, readAccepted } from './config-file.ts';
import { planText } from './plan-text.ts';
import { singleConfig } from './single-config.ts';

export type PlanFlags = {
  readonly current: string;
  readonly desired: string;
  readonly policy?: string;
  /** `--no-boot-loader`: false. */
  readonly bootLoader: boolean;
  readonly output: 'text' | 'json';
};

const refused = 3;
const noBootLoader = 'no boot loader that slipway knows (--no-boot-loader)';

/** `slipway machine-config plan`: 0 with the plan; 3 when the host cannot get there, or input is refused. */
export async function plan(flags: PlanFlags, context: CommandContext): Promise<number> {
  const { output } = context;
  const policies = flags.policy === undefined ? [] : [flags.policy];
  const files = await readAccepted([flags.current, flags.desired, ...policies], context);
  const [current, desired, policyFile] = files ?? [];
  if (current === undefined || desired === undefined) return refused;
  const before = singleConfig(current);
  const after = singleConfig(desired);
  const policy = policyDeclared(policyFile === undefined ? undefined : policyOf(policyFile));
  const abilities = flags.bootLoader ? {} : { kernelArgumentsRefusal: noBootLoader };
  const preview = previewPlan(before.host, after.host, policy, abilities);
  const isBare = after.object.kind === 'Ignition';
  const warnings = preview.warnings.map((issue): Issue => {
    const path = isBare ? issue.path.replace('spec.config.', '') : issue.path;
    return { ...issue, path, ...positionOf(after.object.tree, path) };
  });
  if (flags.output === 'json') {
    output.line(JSON.stringify({ ...preview, warnings }, undefined, 2));
  } else {
    output.line(planText(preview));
    for (const issue of warnings)
      output.line(`\n${renderIssue(issue, desired.source, { fileName: desired.file }).trimEnd()}`);
  }
  return preview.reconcilable ? 0 : refused;
}

/** The spec counts, not the status: a plan may be about a policy that is not in force yet. */
function policyOf({ file, objects }: ConfigFile): MachineConfiguration {
  const found = objects.filter(({ kind }) => kind === 'MachineConfiguration');
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.value as MachineConfiguration;
  const code: CliErrorCode = 'cli.machine-config.policy-unknown';
  const count = found.length === 0 ? 'no MachineConfiguration' : `${found.length} of them`;
  throw new UserError(`read policy ${file}: it has ${count}, and exactly one is needed`, { code });
}
