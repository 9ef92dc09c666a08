import { type BootstrapToken, parseBootstrapToken } from './bootstrap-token.ts';

/** Group that kubeadm gives to joining nodes. */
export const defaultTokenGroup = 'system:bootstrappers:kubeadm:default-node-token';

export const tokenSecretType = 'bootstrap.kubernetes.io/token';
export const tokenSecretNamespace = 'kube-system';

export type TokenUsage = 'signing' | 'authentication';

/** What a cluster knows about a token. */
export type TokenRecord = {
  readonly token: BootstrapToken;
  readonly description?: string;
  /** Ms since the epoch; absent: never expires. */
  readonly expiresAt?: number;
  /** Default both. */
  readonly usages?: readonly TokenUsage[];
  /** Default `[defaultTokenGroup]`. */
  readonly groups?: readonly string[];
};

/** The Secret object that carries a token; `data` is base64. */
export type TokenSecret = {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
};

const usageKeys = {
  signing: 'usage-bootstrap-signing',
  authentication: 'usage-bootstrap-authentication',
} as const satisfies Record<TokenUsage, string>;

/** The Secret `kube-system/bootstrap-token-<id>` for a token. It holds the secret part: never print it. */
export function bootstrapTokenSecret(record: TokenRecord): TokenSecret {
  const { token, usages = ['signing', 'authentication'], groups = [defaultTokenGroup] } = record;
  const content: Record<string, string> = {
    'token-id': token.id,
    'token-secret': token.secret.reveal(),
  };
  if (groups.length > 0) content['auth-extra-groups'] = groups.join(',');
  if (record.description !== undefined) content['description'] = record.description;
  if (record.expiresAt !== undefined) {
    content['expiration'] = new Date(record.expiresAt).toISOString().replace(/\.\d+Z$/, 'Z');
  }
  for (const usage of usages) content[usageKeys[usage]] = 'true';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${token.id}`, namespace: tokenSecretNamespace },
    type: tokenSecretType,
    data: Object.fromEntries(
      Object.entries(content).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

type ReadRecord = Required<Omit<TokenRecord, 'expiresAt' | 'description'>> & TokenRecord;

/** What a token's Secret is read from. */
export type TokenSecretContent = {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
};

/** RFC 3339, which is all that Kubernetes takes for an expiration. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads a token's Secret, or says what keeps it from being one. Nothing of the secret part is repeated. */
export function inspectBootstrapTokenSecret(
  object: TokenSecretContent,
): { readonly record: ReadRecord } | { readonly problem: string } {
  if (object.type !== tokenSecretType) return { problem: `its type is not ${tokenSecretType}` };
  const field = (key: string): string =>
    Buffer.from(object.data?.[key] ?? '', 'base64').toString('utf8');
  for (const key of ['token-id', 'token-secret']) {
    if (field(key) === '') return { problem: `it has no ${key}` };
  }
  const token = parseOrUndefined(`${field('token-id')}.${field('token-secret')}`);
  if (token === undefined) {
    return { problem: 'token-id and token-secret are not of the form [a-z0-9]{6}.[a-z0-9]{16}' };
  }
  const expiration = field('expiration');
  const expiresAt = timestamp.test(expiration) ? Date.parse(expiration) : Number.NaN;
  // A date that cannot be read must not turn into a token that never expires.
  if (expiration !== '' && Number.isNaN(expiresAt)) {
    return { problem: `its expiration ${JSON.stringify(expiration)} is not an RFC 3339 time` };
  }
  const usages = (['signing', 'authentication'] as const).filter(
    (usage) => field(usageKeys[usage]) === 'true',
  );
  const groups = field('auth-extra-groups').split(',').filter(Boolean);
  const description = field('description');
  return {
    record: {
      token,
      usages,
      groups,
      ...(description === '' ? {} : { description }),
      ...(expiration === '' ? {} : { expiresAt }),
    },
  };
}

/** Reads a token's Secret; undefined when it is not a well-formed one. */
export function readBootstrapTokenSecret(object: TokenSecretContent): ReadRecord | undefined {
  const read = inspectBootstrapTokenSecret(object);
  return 'record' in read ? read.record : undefined;
}

function parseOrUndefined(text: string): BootstrapToken | undefined {
  try {
    return parseBootstrapToken(text);
  } catch {
    return undefined;
  }
}
