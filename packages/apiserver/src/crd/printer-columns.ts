import { type CustomResourceDefinitionVersion, compileJsonPath } from '@slipway/api';
import type { Clock } from '@slipway/base';
import type { PrinterColumn } from '../contract.ts';
import { ageOf } from '../registry/human-duration.ts';

type ColumnDeclaration = NonNullable<
  CustomResourceDefinitionVersion['additionalPrinterColumns']
>[number];

/** What a CRD without columns of its own shows after the name. */
const defaultColumns: readonly ColumnDeclaration[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'CreationTimestamp is the server time when this object was created.',
  },
];

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A cell as upstream prints it; null where the value does not have the column's type. */
function cellOf(value: unknown, type: string, nowMs: number): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, nowMs) : null;
    default:
      return asText(value);
  }
}

function column(declaration: ColumnDeclaration, clock: Clock): PrinterColumn {
  const read = compileJsonPath(declaration.jsonPath);
  const { name, type, format, description, priority } = declaration;
  return {
    name,
    type,
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
    ...(priority === undefined ? {} : { priority }),
    value: (object) => cellOf(read(object)[0], type, clock.now()),
  };
}

/** The name column that every table starts with. */
const nameColumn: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  value: (object) => object.metadata.name ?? '',
};

/** Columns of a custom kind's table, the name first. */
export function printerColumns(
  declared: readonly ColumnDeclaration[] | undefined,
  clock: Clock,
): readonly PrinterColumn[] {
  const own = declared === undefined || declared.length === 0 ? defaultColumns : declared;
  return [nameColumn, ...own.map((declaration) => column(declaration, clock))];
}
