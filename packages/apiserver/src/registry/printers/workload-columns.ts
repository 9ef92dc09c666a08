import type { Clock } from '@slipway/base';
import type { PrinterColumn, StoredObject } from '../../contract.ts';
import { readList, readNumber, readObject, readPath, readText } from '../read-path.ts';
import { ageColumn, column, labelText, nameColumn } from './column.ts';

const integer = { type: 'integer' };
const wide = { wide: true };

function containers(object: StoredObject, field: string): string {
  return readList(object, 'spec', 'template', 'spec', 'containers')
    .map((container) => readText(container, field))
    .join(',');
}

function number(name: string, ...path: readonly string[]): PrinterColumn {
  return column(name, (object) => readNumber(object, ...path), integer);
}

const templateColumns: readonly PrinterColumn[] = [
  column('Containers', (object) => containers(object, 'name'), wide),
  column('Images', (object) => containers(object, 'image'), wide),
  column(
    'Selector',
    (object) => labelText(readObject(object, 'spec', 'selector', 'matchLabels')),
    wide,
  ),
];

/** Columns of daemon sets. */
export function daemonSetColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    number('Desired', 'status', 'desiredNumberScheduled'),
    number('Current', 'status', 'currentNumberScheduled'),
    number('Ready', 'status', 'numberReady'),
    number('Up-to-date', 'status', 'updatedNumberScheduled'),
    number('Available', 'status', 'numberAvailable'),
    column('Node Selector', (object) =>
      labelText(readObject(object, 'spec', 'template', 'spec', 'nodeSelector')),
    ),
    ageColumn(clock),
    ...templateColumns,
  ];
}

/** Columns of deployments. */
export function deploymentColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Ready', (object) => {
      const wanted = readPath(object, 'spec', 'replicas') ?? 1;
      return `${readNumber(object, 'status', 'readyReplicas')}/${String(wanted)}`;
    }),
    number('Up-to-date', 'status', 'updatedReplicas'),
    number('Available', 'status', 'availableReplicas'),
    ageColumn(clock),
    ...templateColumns,
  ];
}

/** Columns of replica sets. */
export function replicaSetColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    number('Desired', 'spec', 'replicas'),
    number('Current', 'status', 'replicas'),
    number('Ready', 'status', 'readyReplicas'),
    ageColumn(clock),
    ...templateColumns,
  ];
}
