import { itemsOf, readFields } from './fields.ts';
import type { Findings, Placed } from './findings.ts';
import { controlCharacterIn, shown } from './path-rules.ts';
import { shapes } from './schema.ts';

/**
 * Refuses the section, with a pointer to where kernel arguments belong. Its entries are checked all the same,
 * so that moving them does not bring up new findings.
 */
export function refuseKernelArguments(findings: Findings, value: Placed): void {
  const fields = readFields(findings, value, shapes.kernelArguments);
  const lists = [fields.get('shouldExist'), fields.get('shouldNotExist')].filter(
    (list) => list !== undefined,
  );
  const entries = lists.flatMap((list) => itemsOf(list));
  if (entries.length > 0) {
    findings.add('unsupported-field', value, {
      message: 'kernel arguments are not declared inside of the Ignition config',
      hint: 'move them to spec.kernelArguments of the MachineConfig',
    });
  }
  const seen = new Set<string>();
  for (const entry of entries) {
    const { node } = entry;
    if (node.kind !== 'string') {
      findings.add('json-type', entry, { message: 'must be a text: one kernel argument' });
      continue;
    }
    checkArgument(findings, entry, node.value);
    if (seen.has(node.value)) {
      findings.add('duplicate-entry', entry, { message: `${shown(node.value)} is listed twice` });
    }
    seen.add(node.value);
  }
}

function checkArgument(findings: Findings, entry: Placed, argument: string): void {
  const control = controlCharacterIn(argument);
  if (argument.trim() === '') {
    findings.add('karg-empty', entry, { message: 'the kernel argument is empty' });
  } else if (control !== undefined) {
    findings.add('karg-control-character', entry, {
      message: `the kernel argument contains the control character ${control}`,
    });
  }
}
