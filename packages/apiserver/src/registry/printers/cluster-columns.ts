import type { Clock } from '@slipway/base';
import type { PrinterColumn, StoredObject } from '../../contract.ts';
import { ageOf, humanDuration } from '../human-duration.ts';
import { readList, readNumber, readObject, readPath, readText } from '../read-path.ts';
import { ageColumn, column, createdColumn, nameColumn } from './column.ts';

const integer = { type: 'integer' };
const wide = { wide: true };

function count(object: StoredObject, ...fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Object.keys(readObject(object, field)).length, 0);
}

/** Columns of namespaces. */
export function namespaceColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Status', (object) => readText(object, 'status', 'phase')),
    ageColumn(clock),
  ];
}

/** Columns of configmaps. */
export function configMapColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Data', (object) => count(object, 'data', 'binaryData'), integer),
    ageColumn(clock),
  ];
}

/** Columns of secrets. */
export function secretColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Type', (object) => readText(object, 'type')),
    column('Data', (object) => count(object, 'data'), integer),
    ageColumn(clock),
  ];
}

/** Columns of service accounts. */
export function serviceAccountColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Secrets', (object) => readList(object, 'secrets').length, integer),
    ageColumn(clock),
  ];
}

function eventSpan(event: StoredObject, clock: Clock, series: string, plain: string): string {
  const stamp =
    readText(event, 'series', series) || readText(event, plain) || readText(event, 'eventTime');
  return ageOf(stamp, clock.now());
}

function eventObject(event: StoredObject): string {
  const involved = readObject(event, 'involvedObject');
  return `${readText(involved, 'kind').toLowerCase()}/${readText(involved, 'name')}`;
}

function eventSource(event: StoredObject): string {
  const component = readText(event, 'source', 'component') || readText(event, 'reportingComponent');
  const host = readText(event, 'source', 'host') || readText(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

/** Columns of events. */
export function eventColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    column('Last Seen', (event) => eventSpan(event, clock, 'lastObservedTime', 'lastTimestamp')),
    column('Type', (event) => readText(event, 'type')),
    column('Reason', (event) => readText(event, 'reason')),
    column('Object', eventObject),
    column('Subobject', (event) => readText(event, 'involvedObject', 'fieldPath'), wide),
    column('Source', eventSource, wide),
    column('Message', (event) => readText(event, 'message').trim()),
    column(
      'First Seen',
      (event) =>
        ageOf(readText(event, 'firstTimestamp') || readText(event, 'eventTime'), clock.now()),
      wide,
    ),
    column(
      'Count',
      (event) => readNumber(event, 'series', 'count') || readNumber(event, 'count') || 1,
      { ...wide, ...integer },
    ),
    column('Name', (event) => event.metadata.name ?? '', wide),
  ];
}

/** Columns of leases. */
export function leaseColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Holder', (lease) => readText(lease, 'spec', 'holderIdentity')),
    ageColumn(clock),
  ];
}

function requestState(request: StoredObject): string {
  const types = readList(request, 'status', 'conditions').map((entry) => entry['type']);
  const words = [
    types.includes('Approved') ? 'Approved' : types.includes('Denied') ? 'Denied' : 'Pending',
  ];
  if (types.includes('Failed')) words.push('Failed');
  if (readText(request, 'status', 'certificate') !== '') words.push('Issued');
  return words.join(',');
}

function requestedDuration(request: StoredObject): string {
  const seconds = readPath(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

/** Columns of certificate signing requests. */
export function requestColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    ageColumn(clock),
    column('SignerName', (request) => readText(request, 'spec', 'signerName') || '<none>'),
    column('Requestor', (request) => readText(request, 'spec', 'username')),
    column('RequestedDuration', requestedDuration),
    column('Condition', requestState),
  ];
}

function budgetBound(field: string): PrinterColumn['value'] {
  return (budget) => String(readPath(budget, 'spec', field) ?? 'N/A');
}

/** Columns of pod disruption budgets. */
export function budgetColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Min Available', budgetBound('minAvailable')),
    column('Max Unavailable', budgetBound('maxUnavailable')),
    column(
      'Allowed Disruptions',
      (budget) => readNumber(budget, 'status', 'disruptionsAllowed'),
      integer,
    ),
    ageColumn(clock),
  ];
}

function subjects(kind: string): PrinterColumn['value'] {
  return (binding) =>
    readList(binding, 'subjects')
      .filter((subject) => subject['kind'] === kind)
      .map((subject) =>
        kind === 'ServiceAccount'
          ? `${readText(subject, 'namespace')}/${readText(subject, 'name')}`
          : readText(subject, 'name'),
      )
      .join(', ');
}

/** Columns of role bindings and cluster role bindings. */
export function bindingColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column(
      'Role',
      (binding) =>
        `${readText(binding, 'roleRef', 'kind')}/${readText(binding, 'roleRef', 'name')}`,
    ),
    ageColumn(clock),
    column('Users', subjects('User'), wide),
    column('Groups', subjects('Group'), wide),
    column('ServiceAccounts', subjects('ServiceAccount'), wide),
  ];
}

/** Columns of kinds that show when they were made: roles and CustomResourceDefinitions. */
export const createdColumns: readonly PrinterColumn[] = [nameColumn, createdColumn];

/** Columns of webhook configurations. */
export function webhookColumns(clock: Clock): readonly PrinterColumn[] {
  return [
    nameColumn,
    column('Webhooks', (object) => readList(object, 'webhooks').length, integer),
    ageColumn(clock),
  ];
}
