import { type Clock, compareBytes } from '@slipway/base';
import type { PrinterColumn, StoredObject } from '../../contract.ts';
import { readList, readPath, readText } from '../read-path.ts';
import { ageColumn, column, nameColumn } from './column.ts';

const rolePrefix = 'node-role.kubernetes.io/';

function nodeStatus(node: StoredObject): string {
  const ready = readList(node, 'status', 'conditions').find((entry) => entry['type'] === 'Ready');
  const known = ready?.['status'] === 'True' ? 'Ready' : 'NotReady';
  const text = ready === undefined ? 'Unknown' : known;
  return readPath(node, 'spec', 'unschedulable') === true ? `${text},SchedulingDisabled` : text;
}

function nodeRoles(node: StoredObject): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) {
      roles.add(key.slice(rolePrefix.length));
    }
    if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return roles.size === 0 ? '<none>' : [...roles].sort(compareBytes).join(',');
}

function address(node: StoredObject, type: string): string {
  const found = readList(node, 'status', 'addresses').find((entry) => entry['type'] === type);
  return readText(found, 'address') || '<none>';
}

function nodeFact(field: string): PrinterColumn['value'] {
  return (node) => readText(node, 'status', 'nodeInfo', field) || '<unknown>';
}

/** Columns of nodes. */
export function nodeColumns(clock: Clock): readonly PrinterColumn[] {
  const wide = { wide: true };
  return [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    ageColumn(clock),
    column('Version', (node) => readText(node, 'status', 'nodeInfo', 'kubeletVersion')),
    column('Internal-IP', (node) => address(node, 'InternalIP'), wide),
    column('External-IP', (node) => address(node, 'ExternalIP'), wide),
    column('OS-Image', nodeFact('osImage'), wide),
    column('Kernel-Version', nodeFact('kernelVersion'), wide),
    column('Container-Runtime', nodeFact('containerRuntimeVersion'), wide),
  ];
}
