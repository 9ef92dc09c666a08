import { randomInt } from 'node:crypto';
import { Secret, UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';

/** A bootstrap token: the id is public, the secret part is not. */
export type BootstrapToken = { readonly id: string; readonly secret: Secret };

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A fresh token from the system's random source. */
export function generateBootstrapToken(): BootstrapToken {
  return { id: randomText(6), secret: new Secret(randomText(16)) };
}

/** Reads `id.secret`; throws a UserError that does not repeat the text. */
export function parseBootstrapToken(text: string): BootstrapToken {
  const [, id, secret] = form.exec(text) ?? [];
  if (id !== undefined && secret !== undefined) return { id, secret: new Secret(secret) };
  const code: PkiErrorCode = 'pki.token.malformed';
  throw new UserError('read bootstrap token: must be of the form [a-z0-9]{6}.[a-z0-9]{16}', {
    code,
  });
}

/** `id.secret`. */
export function formatBootstrapToken(token: BootstrapToken): Secret {
  return new Secret(`${token.id}.${token.secret.reveal()}`);
}
