import { jsonEqual } from '@slipway/base';
import type { FieldError, StoredObject, Strategy } from '../../contract.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../schema/field-errors.ts';
import { readList, readObject, readPath, readStrings, readText } from '../read-path.ts';

type Parts = Readonly<Record<string, unknown>>;

/** `object` with top-level `name` replaced. */
export function withMember(object: StoredObject, name: string, value: unknown): StoredObject {
  const { [name]: _old, ...rest } = object as Parts;
  return (value === undefined ? rest : { ...rest, [name]: value }) as StoredObject;
}

const keyExpression = /^[-._a-zA-Z0-9]+$/;

function keyErrors(object: StoredObject, field: string): FieldError[] {
  return Object.keys(readObject(object, field))
    .filter((key) => !keyExpression.test(key) || key.length > 253 || key === '.' || key === '..')
    .map((key) =>
      invalid(
        `${field}[${key}]`,
        key,
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ),
    );
}

function sizeErrors(object: StoredObject, fields: readonly string[]): FieldError[] {
  const limit = 1024 * 1024;
  const size = fields
    .flatMap((field) => Object.values(readObject(object, field)))
    .reduce<number>((sum, value) => sum + String(value).length, 0);
  if (size <= limit) return [];
  const message = `Too long: may not be more than ${limit} bytes`;
  return [{ reason: 'FieldValueTooLong', field: '', message }];
}

function immutableErrors(
  object: StoredObject,
  old: StoredObject | undefined,
  fields: readonly string[],
): FieldError[] {
  if (old?.['immutable'] !== true) return [];
  const changed = fields.filter(
    (field) => !jsonEqual(readObject(object, field), readObject(old, field)),
  );
  const names = object['immutable'] === true ? changed : ['immutable', ...changed];
  return names.map((field) => forbidden(field, 'field is immutable when `immutable` is set'));
}

export const configMapStrategy: Strategy = {
  validate: (object, old) => [
    ...keyErrors(object, 'data'),
    ...keyErrors(object, 'binaryData'),
    ...Object.keys(readObject(object, 'data'))
      .filter((key) => Object.hasOwn(readObject(object, 'binaryData'), key))
      .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...sizeErrors(object, ['data', 'binaryData']),
    ...immutableErrors(object, old, ['data', 'binaryData']),
  ],
};

function base64Errors(object: StoredObject): FieldError[] {
  return Object.entries(readObject(object, 'data'))
    .filter(([, value]) => !/^[A-Za-z0-9+/]*={0,2}$/.test(String(value)))
    .map(([key]) => invalid(`data[${key}]`, '<secret contents redacted>', 'must be base64'));
}

export const secretStrategy: Strategy = {
  validate: (object, old) => [
    ...keyErrors(object, 'data'),
    ...base64Errors(object),
    ...sizeErrors(object, ['data']),
    ...(old !== undefined && object['type'] !== old['type']
      ? [invalid('type', object['type'], 'field is immutable')]
      : []),
    ...immutableErrors(object, old, ['data']),
  ],
};

export const namespaceStrategy: Strategy = {
  prepareForCreate: (object) => {
    const finalizers = readStrings(object, 'spec', 'finalizers');
    const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
    const spec = { ...readObject(object, 'spec'), finalizers: all };
    return withMember(withMember(object, 'spec', spec), 'status', { phase: 'Active' });
  },
  prepareForUpdate: (object, old, subresource) =>
    subresource === undefined ? withMember(object, 'spec', old['spec']) : object,
};

export const eventStrategy: Strategy = {
  validate: (object) => {
    const involved = readText(object, 'involvedObject', 'namespace');
    const namespace = object.metadata.namespace ?? '';
    const allowed = involved === namespace || (involved === '' && namespace === 'default');
    const text = 'does not match event.namespace';
    return allowed ? [] : [invalid('involvedObject.namespace', involved, text)];
  },
};

export const leaseStrategy: Strategy = {
  validate: (object) => {
    const errors: FieldError[] = [];
    const duration = readPath(object, 'spec', 'leaseDurationSeconds');
    if (typeof duration === 'number' && duration <= 0) {
      errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
    }
    const transitions = readPath(object, 'spec', 'leaseTransitions');
    if (typeof transitions === 'number' && transitions < 0) {
      errors.push(
        invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
      );
    }
    return errors;
  },
};

export const budgetStrategy: Strategy = {
  validate: (object) => {
    const minimum = readPath(object, 'spec', 'minAvailable');
    const maximum = readPath(object, 'spec', 'maxUnavailable');
    const value = readObject(object, 'spec');
    return minimum === undefined || maximum === undefined
      ? []
      : [invalid('spec', value, 'minAvailable and maxUnavailable cannot be both set')];
  },
};

function subjectErrors(binding: StoredObject): FieldError[] {
  return readList(binding, 'subjects').flatMap((subject, index) => {
    const field = `subjects[${index}]`;
    const kind = readText(subject, 'kind');
    const errors: FieldError[] = [];
    if (readText(subject, 'name') === '') errors.push(required(`${field}.name`));
    if (!['ServiceAccount', 'User', 'Group'].includes(kind)) {
      errors.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
    }
    return errors;
  });
}

function roleRefErrors(binding: StoredObject, old: StoredObject | undefined): FieldError[] {
  const reference = readObject(binding, 'roleRef');
  const kind = readText(reference, 'kind');
  const kinds = binding.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const errors: FieldError[] = [];
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (readText(reference, 'name') === '') errors.push(required('roleRef.name'));
  if (old !== undefined && !jsonEqual(old['roleRef'], binding['roleRef'])) {
    errors.push(invalid('roleRef', reference, 'cannot change roleRef'));
  }
  return errors;
}

export const bindingStrategy: Strategy = {
  validate: (object, old) => [...roleRefErrors(object, old), ...subjectErrors(object)],
};

export const roleStrategy: Strategy = {
  validate: (object) =>
    readList(object, 'rules').flatMap((rule, index) =>
      readStrings(rule, 'verbs').length > 0
        ? []
        : [required(`rules[${index}].verbs`, 'verbs must contain at least one value')],
    ),
};

function taintErrors(node: StoredObject): FieldError[] {
  const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
  const seen = new Set<string>();
  return readList(node, 'spec', 'taints').flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`;
    const key = readText(taint, 'key');
    const effect = readText(taint, 'effect');
    const errors: FieldError[] = [];
    if (key === '') errors.push(invalid(`${field}.key`, key, 'name part must be non-empty'));
    if (!effects.includes(effect)) errors.push(notSupported(`${field}.effect`, effect, effects));
    if (seen.has(`${key}/${effect}`)) errors.push(duplicate(field, taint));
    seen.add(`${key}/${effect}`);
    return errors;
  });
}

function providerErrors(node: StoredObject, old: StoredObject | undefined): FieldError[] {
  const before = readText(old, 'spec', 'providerID');
  const after = readText(node, 'spec', 'providerID');
  if (before === '' || before === after) return [];
  return [
    forbidden('spec.providerID', `node updates may not change providerID except from "" to valid`),
  ];
}

export const nodeStrategy: Strategy = {
  validate: (object, old) => [...taintErrors(object), ...providerErrors(object, old)],
};
