import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  compileJsonPath,
} from '@slipway/api';
import { isJsonObject, jsonEqual } from '@slipway/base';
import type { FieldError } from '../contract.ts';
import { duplicate, invalid, notSupported, required } from '../schema/field-errors.ts';
import { checkStructural } from '../schema/structural.ts';
import { schemaOf } from './crd-object.ts';

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = new RegExp(`^${labelPart}(\\.${labelPart})*$`);
const kindName = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;
const columnTypes = ['integer', 'number', 'string', 'boolean', 'date'];
const columnFormats = [
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'date',
  'date-time',
  'password',
];
const labelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

type Version = CustomResourceDefinitionVersion;

function checkGroup(crd: CustomResourceDefinition): FieldError[] {
  const { group } = crd.spec;
  if (group === '') return [required('spec.group')];
  if (!subdomain.test(group)) {
    const detail = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${labelPart}(\\.${labelPart})*')`;
    return [invalid('spec.group', group, detail)];
  }
  if (!group.includes('.')) {
    return [invalid('spec.group', group, 'should be a domain with at least one dot')];
  }
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  const approval = crd.metadata?.annotations?.['api-approved.kubernetes.io'];
  if (!isProtected || approval !== undefined) return [];
  const detail =
    'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111';
  return [required('metadata.annotations[api-approved.kubernetes.io]', detail)];
}

function checkLabel(field: string, value: string | undefined): FieldError[] {
  if (value === undefined || value === '') return [required(field)];
  return label.test(value) && value.length <= 63 ? [] : [invalid(field, value, labelText)];
}

function checkKind(field: string, value: string | undefined): FieldError[] {
  if (value === undefined || value === '') return [required(field)];
  if (kindName.test(value) && value.length <= 63) return [];
  const detail = `may have mixed case, but should otherwise match: ${labelText}`;
  return [invalid(field, value, detail)];
}

function checkNames(crd: CustomResourceDefinition): FieldError[] {
  const { names, group } = crd.spec;
  const name = crd.metadata?.name ?? '';
  const errors = [
    ...checkLabel('spec.names.plural', names.plural),
    ...checkLabel('spec.names.singular', names.singular),
    ...checkKind('spec.names.kind', names.kind),
    ...checkKind('spec.names.listKind', names.listKind),
    ...(names.shortNames ?? []).flatMap((short, index) =>
      checkLabel(`spec.names.shortNames[${index}]`, short),
    ),
    ...(names.categories ?? []).flatMap((category, index) =>
      checkLabel(`spec.names.categories[${index}]`, category),
    ),
  ];
  if (name !== `${names.plural}.${group}`) {
    const detail = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalid('metadata.name', name, detail));
  }
  if (names.kind === names.listKind) {
    const detail = 'kind and listKind may not be the same';
    errors.push(invalid('spec.names.listKind', names.listKind, detail));
  }
  return errors;
}

function checkScope(crd: CustomResourceDefinition): FieldError[] {
  const scope: string = crd.spec.scope;
  const scopes = ['Cluster', 'Namespaced'];
  if (!scope) return [required('spec.scope')];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function checkPath(field: string, jsonPath: string | undefined): FieldError[] {
  if (jsonPath === undefined || jsonPath === '') return [required(field)];
  try {
    if (!jsonPath.startsWith('.') && !jsonPath.startsWith('[')) {
      throw new SyntaxError('must start with . or [');
    }
    compileJsonPath(jsonPath);
    return [];
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return [invalid(field, jsonPath, `is an invalid path: ${cause}`)];
  }
}

function checkColumns(version: Version, path: string): FieldError[] {
  return (version.additionalPrinterColumns ?? []).flatMap((column, index) => {
    const where = `${path}.additionalPrinterColumns[${index}]`;
    const errors = checkPath(`${where}.jsonPath`, column.jsonPath);
    if (!column.name) errors.push(required(`${where}.name`));
    if (!column.type) errors.push(required(`${where}.type`));
    else if (!columnTypes.includes(column.type)) {
      errors.push(invalid(`${where}.type`, column.type, `must be one of ${columnTypes.join(',')}`));
    }
    if (column.format !== undefined && !columnFormats.includes(column.format)) {
      const detail = `must be one of ${columnFormats.join(',')}`;
      errors.push(invalid(`${where}.format`, column.format, detail));
    }
    return errors;
  });
}

function checkSelectable(version: Version, path: string): FieldError[] {
  const seen = new Set<string>();
  return (version.selectableFields ?? []).flatMap(({ jsonPath }, index) => {
    const where = `${path}.selectableFields[${index}].jsonPath`;
    const errors = checkPath(where, jsonPath);
    if (seen.has(jsonPath)) errors.push(duplicate(where, jsonPath));
    seen.add(jsonPath);
    return errors;
  });
}

function checkVersion(version: Version, index: number, schemaPath: string): FieldError[] {
  const path = `spec.versions[${index}]`;
  const errors = [
    ...checkLabel(`${path}.name`, version.name),
    ...checkColumns(version, path),
    ...checkSelectable(version, path),
  ];
  const schema = schemaOf(version);
  if (schema === undefined) {
    errors.push(required(`${path}.schema.openAPIV3Schema`, 'schemas are required'));
  } else errors.push(...checkStructural(schema, schemaPath));
  return errors;
}

/** Where upstream says a version's schema is: hoisted when all versions have the same. */
export function schemaPathOf(crd: CustomResourceDefinition, index: number): string {
  const [first] = crd.spec.versions;
  const same = crd.spec.versions.every((version) => jsonEqual(version.schema, first?.schema));
  return same
    ? 'spec.validation.openAPIV3Schema'
    : `spec.versions[${index}].schema.openAPIV3Schema`;
}

function checkVersions(crd: CustomResourceDefinition): FieldError[] {
  const { versions } = crd.spec;
  const names = versions.map((version) => version.name);
  const storage = versions.filter((version) => version.storage);
  const errors = versions.flatMap((version, index) =>
    index > 0 && schemaPathOf(crd, index) === schemaPathOf(crd, 0)
      ? checkVersion({ ...version, schema: { openAPIV3Schema: { type: 'object' } } }, index, '')
      : checkVersion(version, index, schemaPathOf(crd, index)),
  );
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) errors.push(duplicate(`spec.versions[${index}].name`, name));
  }
  if (storage.length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalid('spec.versions', names, detail));
  }
  return errors;
}

function checkConversion(crd: CustomResourceDefinition): FieldError[] {
  const { conversion, preserveUnknownFields } = crd.spec;
  const errors: FieldError[] = [];
  if (preserveUnknownFields === true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  const strategy = isJsonObject(conversion) ? conversion['strategy'] : 'None';
  if (strategy !== 'None') {
    errors.push(notSupported('spec.conversion.strategy', strategy, ['None']));
  }
  return errors;
}

function isEstablished(crd: CustomResourceDefinition): boolean {
  const conditions = crd.status?.conditions ?? [];
  return conditions.some((entry) => entry.type === 'Established' && entry.status === 'True');
}

function checkImmutable(crd: CustomResourceDefinition, old: CustomResourceDefinition) {
  const errors: FieldError[] = [];
  const check = (field: string, value: unknown, before: unknown) => {
    if (value !== before) errors.push(invalid(field, value, 'field is immutable'));
  };
  check('spec.group', crd.spec.group, old.spec.group);
  check('spec.names.plural', crd.spec.names.plural, old.spec.names.plural);
  if (isEstablished(old)) {
    check('spec.scope', crd.spec.scope, old.spec.scope);
    check('spec.names.kind', crd.spec.names.kind, old.spec.names.kind);
  }
  return errors;
}

function checkStoredVersions(crd: CustomResourceDefinition): FieldError[] {
  const names = crd.spec.versions.map((version) => version.name);
  return (crd.status?.storedVersions ?? []).flatMap((stored, index) => {
    if (names.includes(stored)) return [];
    const detail = `missing from spec.versions; ${stored} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${stored} and removes ${stored} from status.storedVersions`;
    return [invalid(`status.storedVersions[${index}]`, stored, detail)];
  });
}

/** What is wrong with a CustomResourceDefinition, its rules left out. `old` is present on update. */
export function validateCrd(
  crd: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): readonly FieldError[] {
  return [
    ...checkGroup(crd),
    ...checkScope(crd),
    ...checkNames(crd),
    ...checkVersions(crd),
    ...checkConversion(crd),
    ...(old === undefined ? [] : checkImmutable(crd, old)),
    ...checkStoredVersions(crd),
  ];
}
