import type { Disruption, PlanPreview, PreviewedChange } from '@slipway/machineconfig';

/** A plan as people read it: each change with what it disrupts, then all together. */
export function planText(plan: PlanPreview): string {
  if (plan.changes.length === 0) return 'nothing changes: no action, no drain, no reboot';
  return [...plan.changes.flatMap(changeLines), 'all together:', ...disruptionLines(plan)].join(
    '\n',
  );
}

const subjects: Readonly<Record<PreviewedChange['subject'], string>> = {
  file: 'file ',
  unit: 'unit ',
  sshkey: 'SSH keys of boot',
  kernelArguments: 'kernel arguments',
  force: 'force',
};

function changeLines(change: PreviewedChange): readonly string[] {
  const { subject, name, fields, rule } = change;
  const what = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return [
    `${subjects[subject]}${name} (${change.change}${what})`,
    ...disruptionLines(change, ` (${rule})`),
  ];
}

function disruptionLines(disruption: Disruption, why = ''): readonly string[] {
  const { actions, drain, reboot, reconcilable, reasons } = disruption;
  const list = actions.length === 0 ? 'none' : actions.join(', ');
  const word = (value: boolean) => (value ? 'yes' : 'no');
  return [
    `  actions: ${list}${why}`,
    `  drain: ${word(drain)}`,
    `  reboot: ${word(reboot)}`,
    `  reconcilable: ${reconcilable ? 'yes' : `no: ${reasons.join('; ')}`}`,
  ];
}
