import type { FieldError, ResourceDefinition, StoredObject } from '../contract.ts';

/** Rules of ObjectMeta that hold for every kind (apimachinery `pkg/api/validation`). */

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPart}(\\.${labelPart})*`;
const subdomainExpression = new RegExp(`^${subdomainPattern}$`);
const labelExpression = new RegExp(`^${labelPart}$`);
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const qualifiedExpression = new RegExp(`^${qualifiedPart}$`);
const valueExpression = new RegExp(`^(${qualifiedPart})?$`);
const annotationLimitBytes = 256 * 1024;

function invalidValue(field: string, value: string, text: string): FieldError {
  const message = `Invalid value: ${JSON.stringify(value)}: ${text}`;
  return { reason: 'FieldValueInvalid', field, message };
}

function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 characters';
  if (subdomainExpression.test(name)) return undefined;
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;
}

function labelProblem(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 characters';
  if (labelExpression.test(name)) return undefined;
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPart}')`;
}

function pathProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

const nameProblems = { subdomain: subdomainProblem, label: labelProblem, path: pathProblem };

function nameErrors(definition: ResourceDefinition, name: string | undefined): FieldError[] {
  if (name === undefined || name === '') {
    const message = 'Required value: name or generateName is required';
    return [{ reason: 'FieldValueRequired', field: 'metadata.name', message }];
  }
  const problem = nameProblems[definition.nameRule ?? 'subdomain'](name);
  return problem === undefined ? [] : [invalidValue('metadata.name', name, problem)];
}

/** Why `key` is no label or annotation key; undefined: it is one. */
export function qualifiedNameProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || (parts.length === 2 && subdomainProblem(parts[0] ?? '') !== undefined)) {
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedPart}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 characters';
  if (qualifiedExpression.test(name)) return undefined;
  return `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedPart}')`;
}

function labelErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  const field = 'metadata.labels';
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    const problem = qualifiedNameProblem(key);
    if (problem !== undefined) errors.push(invalidValue(field, key, problem));
    if (value.length > 63) {
      errors.push(invalidValue(field, value, 'must be no more than 63 characters'));
    }
    if (!valueExpression.test(value)) {
      const text = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedPart})?')`;
      errors.push(invalidValue(field, value, text));
    }
  }
  return errors;
}

function annotationErrors(annotations: Readonly<Record<string, string>>): FieldError[] {
  const field = 'metadata.annotations';
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += key.length + value.length;
    const problem = qualifiedNameProblem(key.toLowerCase());
    if (problem !== undefined) errors.push(invalidValue(field, key, problem));
  }
  if (size > annotationLimitBytes) {
    const message = `Too long: may not be more than ${annotationLimitBytes} bytes`;
    errors.push({ reason: 'FieldValueTooLong', field, message });
  }
  return errors;
}

/** The garbage collector trusts these: each must name one object. */
function ownerErrors(owners: NonNullable<StoredObject['metadata']['ownerReferences']>) {
  const members = ['apiVersion', 'kind', 'name', 'uid'] as const;
  const errors = owners.flatMap((owner, index) =>
    members
      .filter((member) => !owner[member])
      .map((member): FieldError => {
        const field = `metadata.ownerReferences[${index}].${member}`;
        const message = `Invalid value: "": ${member} must not be empty`;
        return { reason: 'FieldValueInvalid', field, message };
      }),
  );
  const controllers = owners.filter(({ controller }) => controller === true);
  if (controllers.length > 1) {
    const list = controllers.map(({ kind, name }) => `${kind}/${name}`).join(' and ');
    const message = `Invalid value: Only one reference can have Controller set to true. Found "true" in references for ${list}`;
    errors.push({ reason: 'FieldValueInvalid', field: 'metadata.ownerReferences', message });
  }
  return errors;
}

function deletingErrors(object: StoredObject, old: StoredObject | undefined): FieldError[] {
  if (old?.metadata.deletionTimestamp === undefined) return [];
  const before = new Set(old.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((name) => !before.has(name));
  if (added.length === 0) return [];
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers', message }];
}

/** What is wrong with the metadata of `object`. */
export function metadataErrors(
  definition: ResourceDefinition,
  object: StoredObject,
  old?: StoredObject,
): readonly FieldError[] {
  const { name, labels, annotations, ownerReferences } = object.metadata;
  return [
    ...(old === undefined ? nameErrors(definition, name) : []),
    ...labelErrors(labels ?? {}),
    ...annotationErrors(annotations ?? {}),
    ...ownerErrors(ownerReferences ?? []),
    ...deletingErrors(object, old),
  ];
}
