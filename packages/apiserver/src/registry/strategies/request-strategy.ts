import type { FieldError, StoredObject, Strategy } from '../../contract.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { readList, readObject, readPath, readStrings, readText } from '../read-path.ts';
import { withMember } from './object-strategies.ts';

const shortestSeconds = 600;

function requestErrors(object: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  const text = Buffer.from(readText(object, 'spec', 'request'), 'base64').toString('latin1');
  if (!text.includes('-----BEGIN CERTIFICATE REQUEST-----')) {
    errors.push(
      invalid(
        'spec.request',
        readText(object, 'spec', 'request'),
        'PEM block type must be CERTIFICATE REQUEST',
      ),
    );
  }
  if (readStrings(object, 'spec', 'usages').length === 0) {
    errors.push(required('spec.usages', 'usages must contain at least one value'));
  }
  const signer = readText(object, 'spec', 'signerName');
  if (signer === '') errors.push(required('spec.signerName'));
  else if (!/^[a-z0-9.-]+\.[a-z0-9.-]+\/[A-Za-z0-9.:-]+$/.test(signer)) {
    const detail =
      'must be a fully qualified domain and path of the form "example.com/signer-name"';
    errors.push(invalid('spec.signerName', signer, detail));
  }
  const seconds = readPath(object, 'spec', 'expirationSeconds');
  if (typeof seconds === 'number' && seconds < shortestSeconds) {
    errors.push(
      invalid(
        'spec.expirationSeconds',
        seconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    );
  }
  return errors;
}

function conditionErrors(object: StoredObject, old: StoredObject): FieldError[] {
  const types = readList(object, 'status', 'conditions').map((entry) => entry['type']);
  const errors: FieldError[] = [];
  if (types.includes('Approved') && types.includes('Denied')) {
    const detail = 'Approved and Denied conditions are mutually exclusive';
    errors.push(invalid('status.conditions', 'Denied', detail));
  }
  for (const before of readList(old, 'status', 'conditions')) {
    const type = before['type'];
    if ((type === 'Approved' || type === 'Denied') && !types.includes(type)) {
      const message = `Forbidden: updates may not remove a condition of type "${type}"`;
      errors.push({ reason: 'FieldValueForbidden', field: 'status.conditions', message });
    }
  }
  return errors;
}

function stampConditions(object: StoredObject, old: StoredObject): StoredObject {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const before = readList(old, 'status', 'conditions');
  const conditions = readList(object, 'status', 'conditions').map((entry) => {
    const known = before.find((item) => item['type'] === entry['type']);
    const stamp = known?.['status'] === entry['status'] ? known?.['lastTransitionTime'] : now;
    return {
      lastUpdateTime: now,
      ...entry,
      lastTransitionTime: entry['lastTransitionTime'] ?? stamp ?? now,
    };
  });
  const status = { ...readObject(object, 'status') };
  if (conditions.length > 0) status['conditions'] = conditions;
  return withMember(object, 'status', status);
}

/** Who asks is stamped by the server; the spec never changes; `/approval` only decides. */
export const requestStrategy: Strategy = {
  prepareForCreate: (object, { user }) => {
    const {
      username: _name,
      uid: _uid,
      groups: _groups,
      extra: _extra,
      ...spec
    } = readObject(object, 'spec');
    return withMember(object, 'spec', {
      ...spec,
      username: user.name,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: user.groups,
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    });
  },
  prepareForUpdate: (object, old, subresource) => {
    const fixed = withMember(object, 'spec', old['spec']);
    if (subresource === 'approval') return stampConditions(fixed, old);
    if (subresource !== 'status') return fixed;
    const kept = readList(old, 'status', 'conditions').filter(
      (entry) => entry['type'] !== 'Failed',
    );
    const added = readList(fixed, 'status', 'conditions').filter(
      (entry) => entry['type'] === 'Failed',
    );
    const status = { ...readObject(fixed, 'status') };
    const conditions = [...kept, ...added];
    if (conditions.length > 0) status['conditions'] = conditions;
    return stampConditions(withMember(fixed, 'status', status), old);
  },
  validate: (object, old) =>
    old === undefined ? requestErrors(object) : conditionErrors(object, old),
};
