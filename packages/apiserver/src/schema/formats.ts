import { isIP } from 'node:net';

const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/;
const duration =
  /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/;
const hostname =
  /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function isCidr(value: string): boolean {
  const [address = '', prefix = '', ...rest] = value.split('/');
  const family = isIP(address);
  if (rest.length > 0 || family === 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (family === 4 ? 32 : 128);
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}

function isUuid(version: string): (value: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`,
    'i',
  );
  return (value) => pattern.test(value);
}

/** String formats that a CRD's schema may name; others are ignored, as upstream does. */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  byte: (value) => base64.test(value),
  cidr: isCidr,
  date: isDate,
  'date-time': (value) => dateTime.test(value),
  datetime: (value) => dateTime.test(value),
  duration: (value) => duration.test(value) || value === '0',
  email: (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value),
  hostname: (value) => hostname.test(value),
  ipv4: (value) => isIP(value) === 4,
  ipv6: (value) => isIP(value) === 6,
  mac: (value) => /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  uri: (value) => URL.canParse(value) || value.startsWith('/'),
  uuid: isUuid('[0-9a-f]'),
  uuid3: isUuid('3'),
  uuid4: isUuid('4'),
  uuid5: isUuid('5'),
};

/** True when `value` has the named format, or the format is not one that is checked. */
export function hasFormat(value: string, format: string): boolean {
  const check = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return check === undefined || check(value);
}
