import { type SecretObject, secrets } from '@slipway/api';
import { type Clock, TerminalError } from '@slipway/base';
import { isAlreadyExists, type KubeClient } from '@slipway/kube';
import {
  type BootstrapToken,
  bootstrapTokenSecret,
  generateBootstrapToken,
  parseBootstrapToken,
  type TokenUsage,
} from '@slipway/pki';
import type { BootstrapTokenEntry } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { requireTokenEntry, tokenUsages } from './token-rules.ts';

export type TokenCreation = {
  readonly client: KubeClient;
  /** An empty `token` means a random one. */
  readonly entry: BootstrapTokenEntry;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
};

/** A token and the Secret that carries it. */
export type CreatedToken = { readonly token: BootstrapToken; readonly secret: SecretObject };

/**
 * The Secret of a token, valid from `nowMs` on. A `ttl` of 0 and no `expires` never expire. Throws one
 * UserError with all that is wrong with the entry.
 */
export function tokenSecret(entry: BootstrapTokenEntry, nowMs: number): CreatedToken {
  requireTokenEntry(entry);
  const token = entry.token === '' ? generateBootstrapToken() : parseBootstrapToken(entry.token);
  const expiresAt = expiryOf(entry, nowMs);
  const usages: readonly TokenUsage[] = tokenUsages.filter((usage) => entry.usages.includes(usage));
  const { description = '' } = entry;
  const secret = bootstrapTokenSecret({
    token,
    usages,
    groups: entry.groups,
    ...(description === '' ? {} : { description }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  return { token, secret };
}

function expiryOf({ ttl, expires }: BootstrapTokenEntry, nowMs: number): number | undefined {
  if (expires !== undefined) return Date.parse(expires);
  const lifetime = ttl === undefined ? 0 : durationMs(ttl);
  return lifetime > 0 ? nowMs + lifetime : undefined;
}

/**
 * Creates a bootstrap token in the cluster. Throws a UserError for what breaks a rule and a
 * TerminalError when there is a token with its id already.
 */
export async function createToken(creation: TokenCreation): Promise<CreatedToken> {
  const { client, entry, clock, signal } = creation;
  const options = signal === undefined ? {} : { signal };
  const created = tokenSecret(entry, clock.now());
  try {
    await client.create(secrets, created.secret, options);
    return created;
  } catch (error) {
    throw isAlreadyExists(error) ? alreadyExists(created.token.id, error) : error;
  }
}

function alreadyExists(id: string, cause: unknown): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.token.exists';
  return new TerminalError(`create bootstrap token: a token with id ${id} exists already`, {
    code,
    cause,
  });
}
