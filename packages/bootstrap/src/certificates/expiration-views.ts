import type { JsonObject } from '@slipway/base';
import type { Expiration, Expirations } from './read-expirations.ts';
import { residualTime } from './residual-time.ts';

/** The two tables of `check-expiration`: header and rows of each. */
export type ExpirationTables = readonly {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}[];

/** Columns and cells are kubeadm's: there are scripts that read them. */
export function expirationTables(expirations: Expirations): ExpirationTables {
  return [
    {
      header: [
        'CERTIFICATE',
        'EXPIRES',
        'RESIDUAL TIME',
        'CERTIFICATE AUTHORITY',
        'EXTERNALLY MANAGED',
      ],
      rows: expirations.certificates.map(expirationRow),
    },
    {
      header: ['CERTIFICATE AUTHORITY', 'EXPIRES', 'RESIDUAL TIME', 'EXTERNALLY MANAGED'],
      rows: expirations.authorities.map(expirationRow),
    },
  ];
}

function expirationRow({ name, authority, end, problem }: Expiration): readonly string[] {
  if (problem !== undefined) return [`!UNREADABLE! ${name}`];
  if (end === undefined) return [`!MISSING! ${name}`];
  return [
    name,
    tableStamp(end.expiresAt),
    residualTime(end.residualSeconds),
    ...(authority === undefined ? [] : [authority]),
    end.isExternallyManaged ? 'yes' : 'no',
  ];
}

/** The object that `-o json` and `-o yaml` print: kubeadm's output API. */
export function expirationObject({ certificates, authorities }: Expirations): JsonObject {
  return {
    kind: 'CertificateExpirationInfo',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    certificates: certificates.map(expirationEntry),
    certificateAuthorities: authorities.map(expirationEntry),
  };
}

function expirationEntry({ name, authority, end }: Expiration): JsonObject {
  return {
    name,
    expirationDate: end === undefined ? null : isoStamp(end.expiresAt),
    residualTime: end?.residualSeconds ?? 0,
    externallyManaged: end?.isExternallyManaged ?? false,
    ...(end === undefined || authority === undefined ? {} : { caName: authority }),
    missing: end === undefined,
  };
}

function isoStamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 30, 2027 21:26 UTC` */
function tableStamp(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${months[date.getUTCMonth()]} ${two(date.getUTCDate())}, ${date.getUTCFullYear()}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}
