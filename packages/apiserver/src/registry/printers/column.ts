import { type Clock, compareBytes } from '@slipway/base';
import type { PrinterColumn, StoredObject } from '../../contract.ts';
import { ageOf } from '../human-duration.ts';

/** A column of `kubectl get`; `wide` ones show with `-o wide` only. */
export function column(
  name: string,
  value: PrinterColumn['value'],
  options: { readonly wide?: boolean; readonly type?: string; readonly format?: string } = {},
): PrinterColumn {
  return {
    name,
    type: options.type ?? 'string',
    ...(options.format === undefined ? {} : { format: options.format }),
    priority: options.wide === true ? 1 : 0,
    value,
  };
}

export const nameColumn: PrinterColumn = column('Name', (object) => object.metadata.name ?? '', {
  format: 'name',
});

/** Time since creation. */
export function ageColumn(clock: Clock): PrinterColumn {
  return column('Age', (object: StoredObject) =>
    ageOf(object.metadata.creationTimestamp, clock.now()),
  );
}

export const createdColumn: PrinterColumn = column(
  'Created At',
  (object) => object.metadata.creationTimestamp ?? '',
  { format: 'date', type: 'date' },
);

/** `a=b,c=d`, or `<none>`. */
export function labelText(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(labels)
    .sort(compareBytes)
    .map((key) => `${key}=${String(labels[key])}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}
