import { secrets } from '@slipway/api';
import { TerminalError, UserError } from '@slipway/base';
import { isNotFound, type KubeClient } from '@slipway/kube';
import { tokenSecretNamespace } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';

/** The id of `abcdef` or `abcdef.0123456789abcdef`; undefined when the text is neither. */
export function tokenIdOf(idOrToken: string): string | undefined {
  return /^([a-z0-9]{6})(?:\.[a-z0-9]{16})?$/.exec(idOrToken)?.[1];
}

export type TokenDeletion = {
  readonly client: KubeClient;
  /** Ids or whole tokens. */
  readonly tokens: readonly string[];
  /** Called after each that is gone. */
  readonly onDeleted: (id: string) => void;
  readonly signal?: AbortSignal;
};

/**
 * Deletes tokens. Nothing is deleted when one of the texts is neither an id nor a token (UserError).
 * Those that are not there are named together in a TerminalError, after the others are gone.
 */
export async function deleteTokens(deletion: TokenDeletion): Promise<void> {
  const ids = deletion.tokens.map((text) => tokenIdOf(text) ?? malformed());
  const missing: string[] = [];
  for (const id of ids) {
    if (await deleteToken(deletion, id)) deletion.onDeleted(id);
    else missing.push(id);
  }
  if (missing.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.token.missing';
  throw new TerminalError(`delete bootstrap token ${missing.join(', ')}: there is none`, { code });
}

async function deleteToken({ client, signal }: TokenDeletion, id: string): Promise<boolean> {
  const key = { namespace: tokenSecretNamespace, name: `bootstrap-token-${id}` };
  const options = signal === undefined ? {} : { signal };
  try {
    await client.delete(secrets, key, options);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function malformed(): never {
  const code: BootstrapErrorCode = 'bootstrap.token.invalid';
  // It may be a token with a slip of the finger: not repeated.
  throw new UserError(
    'delete bootstrap token: give an id [a-z0-9]{6} or a token [a-z0-9]{6}.[a-z0-9]{16}',
    { code },
  );
}
