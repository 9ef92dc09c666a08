import { type SecretObject, secrets } from '@slipway/api';
import type { KubeClient } from '@slipway/kube';
import {
  inspectBootstrapTokenSecret,
  type TokenRecord,
  tokenSecretNamespace,
  tokenSecretType,
} from '@slipway/pki';

/** The tokens of a cluster, and what is stored as one without being one. */
export type TokenList = {
  readonly tokens: readonly TokenRecord[];
  /** One line for each Secret of the type that is malformed. */
  readonly problems: readonly string[];
};

/** Reads all bootstrap tokens, expired ones included; asks for Secrets of their type only. */
export async function listTokens(client: KubeClient, signal?: AbortSignal): Promise<TokenList> {
  const found = await client.list(secrets, {
    namespace: tokenSecretNamespace,
    fieldSelector: `type=${tokenSecretType}`,
    ...(signal === undefined ? {} : { signal }),
  });
  const read = found.map((secret) => ({ secret, ...inspectToken(secret) }));
  return {
    tokens: read.flatMap((one) => ('record' in one ? [one.record] : [])),
    problems: read.flatMap((one) =>
      'problem' in one ? [`Secret ${one.secret.metadata?.name} is no token: ${one.problem}`] : [],
    ),
  };
}

function inspectToken(secret: SecretObject): ReturnType<typeof inspectBootstrapTokenSecret> {
  const read = inspectBootstrapTokenSecret(secret);
  if (!('record' in read)) return read;
  // The API server looks a token up by this name; under another it is good for nothing.
  const name = `bootstrap-token-${read.record.token.id}`;
  return secret.metadata?.name === name ? read : { problem: `its name should be ${name}` };
}
