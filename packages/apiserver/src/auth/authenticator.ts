import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@slipway/base';
import { tokenSecretNamespace } from '@slipway/pki';
import type { Authenticator, LocalAccess, ResourceCatalogue, User } from '../contract.ts';
import { tokenOf } from '../controllers/token-expiry.ts';

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
const bootstrappersGroup = 'system:bootstrappers';
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const bootstrapToken = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** Who asks without showing anything. */
export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticatedGroup] };

export type AuthenticatorOptions = {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly clock: Clock;
};

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function authenticateToken(options: AuthenticatorOptions, bearer: string): User | undefined {
  const [, id, secret] = bootstrapToken.exec(bearer) ?? [];
  const definition = options.catalogue.find('', 'v1', 'secrets');
  if (id === undefined || secret === undefined || definition === undefined) return undefined;
  const name = `bootstrap-token-${id}`;
  const stored = options.access.get(definition, tokenSecretNamespace, name);
  if (stored?.metadata.deletionTimestamp !== undefined) return undefined;
  const record = tokenOf(stored);
  if (record === undefined || record.token.id !== id) return undefined;
  if (!sameText(record.token.secret.reveal(), secret)) return undefined;
  if (record.expiresAt !== undefined && record.expiresAt <= options.clock.now()) return undefined;
  if (!record.usages.includes('authentication')) return undefined;
  const extra = record.groups;
  // A group outside of the bootstrappers would make a token worth more than joining.
  if (!extra.every((group) => extraGroup.test(group))) return undefined;
  const groups = [...new Set([bootstrappersGroup, ...extra, authenticatedGroup])];
  return { name: `system:bootstrap:${id}`, groups };
}

/** Client certificates (CN and O), bootstrap tokens, and nobody in particular. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return {
    async authenticate({ certificate, bearerToken }) {
      if (certificate !== undefined && certificate.commonName !== '') {
        const { commonName, organizations } = certificate;
        return { name: commonName, groups: [...organizations, authenticatedGroup] };
      }
      if (bearerToken !== undefined) return authenticateToken(options, bearerToken);
      return anonymous;
    },
  };
}
