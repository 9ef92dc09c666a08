import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, Secret, UserError } from '@slipway/base';
import type { PemSource, SecretSource } from '../client/connection-config.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from './kubeconfig.ts';
import { parseYamlSubset } from './yaml-subset.ts';

export type KubeconfigOrigin = {
  /** Names the text in errors; default `kubeconfig`. */
  readonly source?: string;
  /** What relative paths in it are relative to; default: the working directory. */
  readonly folder?: string;
};

/**
 * Reads a kubeconfig, YAML (the subset in which tools write them) or JSON. Throws UserError with
 * line and column for text, and with the field for content that is wrong.
 */
export function parseKubeconfig(text: string, origin: KubeconfigOrigin = {}): Kubeconfig {
  const { source = 'kubeconfig', folder = '.' } = origin;
  const document = text.trimStart().startsWith('{')
    ? parseJson(text, source)
    : parseYamlSubset(text, source);
  if (!isJsonObject(document)) throw wrong(source, 'it is not a map');
  const root = new Fields(document, source, '');
  root.expect('kind', 'Config');
  root.expect('apiVersion', 'v1');
  const currentContext = root.text('current-context');
  return {
    clusters: root.named('clusters', 'cluster').map(([name, f]) => cluster(name, f, folder)),
    users: root.named('users', 'user').map(([name, f]) => user(name, f, folder)),
    contexts: root.named('contexts', 'context').map(([name, f]) => context(name, f)),
    ...(currentContext === undefined ? {} : { currentContext }),
  };
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new UserError(`read ${source}: ${message}`, {
      code: 'kube.bad-kubeconfig',
      cause: error,
    });
  }
}

function wrong(source: string, message: string): UserError {
  return new UserError(`read ${source}: ${message}`, { code: 'kube.bad-kubeconfig' });
}

/** A map of the document whose members are read by what they must be. */
class Fields {
  readonly #map: Readonly<Record<string, unknown>>;
  readonly #source: string;
  readonly #path: string;

  constructor(map: Readonly<Record<string, unknown>>, source: string, path: string) {
    this.#map = map;
    this.#source = source;
    this.#path = path;
  }

  wrong(name: string, message: string): UserError {
    return wrong(this.#source, `${this.#path}${name}: ${message}`);
  }

  /** A text; empty and null count as absent, as kubectl has it. */
  text(name: string): string | undefined {
    const value = this.#map[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.wrong(name, 'it must be a text');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#map[name] ?? false;
    if (typeof value !== 'boolean') throw this.wrong(name, 'it must be true or false');
    return value;
  }

  expect(name: string, want: string): void {
    const value = this.text(name);
    if (value !== undefined && value !== want) throw this.wrong(name, `it must be ${want}`);
  }

  /** First of these fields that is set. */
  firstSet(names: readonly string[]): string | undefined {
    return names.find((name) => ![undefined, null, ''].includes(this.#map[name] as undefined));
  }

  /** Text that stands in `name` as base64. */
  decoded(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(value)) throw this.wrong(name, 'it is not base64');
    return Buffer.from(value, 'base64').toString('utf8');
  }

  /** The entries of a list of `{name, <member>: {…}}`. */
  named(name: string, member: string): [string, Fields][] {
    const list = this.#map[name] ?? [];
    if (!Array.isArray(list)) throw this.wrong(name, 'it must be a list');
    return list.map((entry: unknown, index) => {
      const path = `${this.#path}${name}[${index}].`;
      if (!isJsonObject(entry)) throw wrong(this.#source, `${path.slice(0, -1)}: it must be a map`);
      const inner = entry[member] ?? {};
      if (!isJsonObject(inner)) throw wrong(this.#source, `${path}${member}: it must be a map`);
      const entryName = new Fields(entry, this.#source, path).text('name') ?? '';
      return [entryName, new Fields(inner, this.#source, `${path}${member}.`)];
    });
  }
}

function pem(fields: Fields, name: string, folder: string): PemSource | undefined {
  const text = fields.decoded(`${name}-data`);
  if (text !== undefined) return { pem: text };
  const path = fields.text(name);
  return path === undefined ? undefined : { path: located(path, folder) };
}

function located(path: string, folder: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

function cluster(name: string, fields: Fields, folder: string): KubeconfigCluster {
  const certificateAuthority = pem(fields, 'certificate-authority', folder);
  const tlsServerName = fields.text('tls-server-name');
  const unsupported = fields.firstSet(['proxy-url']);
  return {
    name,
    server: fields.text('server') ?? '',
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(fields.flag('insecure-skip-tls-verify') ? { insecureSkipTlsVerify: true } : {}),
    ...(unsupported === undefined ? {} : { unsupported }),
  };
}

function user(name: string, fields: Fields, folder: string): KubeconfigUser {
  const clientCertificate = pem(fields, 'client-certificate', folder);
  const key = pem(fields, 'client-key', folder);
  const token = tokenOf(fields, folder);
  const unsupported = fields.firstSet(['exec', 'auth-provider', 'username', 'as', 'as-uid']);
  return {
    name,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(key === undefined
      ? {}
      : { clientKey: 'pem' in key ? { secret: new Secret(key.pem) } : key }),
    ...(token === undefined ? {} : { token }),
    ...(unsupported === undefined ? {} : { unsupported }),
  };
}

/** A token file wins over a token beside it, as in client-go. */
function tokenOf(fields: Fields, folder: string): SecretSource | undefined {
  const path = fields.text('tokenFile');
  if (path !== undefined) return { path: located(path, folder) };
  const token = fields.text('token');
  return token === undefined ? undefined : { secret: new Secret(token) };
}

function context(name: string, fields: Fields): KubeconfigContext {
  const namespace = fields.text('namespace');
  return {
    name,
    cluster: fields.text('cluster') ?? '',
    user: fields.text('user') ?? '',
    ...(namespace === undefined ? {} : { namespace }),
  };
}
