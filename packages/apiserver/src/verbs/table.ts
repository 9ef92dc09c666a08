import type { PrinterColumn, ResourceDefinition, StoredObject } from '../contract.ts';

type Json = Readonly<Record<string, unknown>>;

/** What `includeObject=` asks for; default `Metadata`. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

function definitionOf(column: PrinterColumn): Json {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? '',
    priority: column.priority ?? 0,
  };
}

/** The column headers. */
export function columnDefinitions(definition: ResourceDefinition): readonly Json[] {
  return definition.columns.map(definitionOf);
}

/** The object reduced to its metadata. */
export function partialObject(object: StoredObject, apiVersion: string): Json {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

function rowObject(object: StoredObject, include: IncludeObject, apiVersion: string): unknown {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialObject(object, apiVersion);
}

/** One row. */
export function tableRow(
  definition: ResourceDefinition,
  object: StoredObject,
  include: IncludeObject,
  apiVersion: string,
): Json {
  return {
    cells: definition.columns.map((column) => column.value(object)),
    object: rowObject(object, include, apiVersion),
  };
}

/** A Table around rows; later events of a watch leave the headers out. */
export function table(
  metadata: Json,
  headers: readonly Json[] | null,
  rows: readonly Json[],
  apiVersion: string,
): Json {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: headers, rows };
}
