import { isJsonObject } from '@slipway/base';

/** Members of a bootstrap token's Secret that are no secret. */
const openTokenMembers = new Set([
  'token-id',
  'description',
  'expiration',
  'auth-extra-groups',
  'usage-bootstrap-authentication',
  'usage-bootstrap-signing',
]);

/** An object to be shown: the contents of a Secret as `***`, but for what says nothing of it. */
export function withoutSecrets(object: unknown): unknown {
  if (!isJsonObject(object) || object['kind'] !== 'Secret') return object;
  const isToken = object['type'] === 'bootstrap.kubernetes.io/token';
  const shown = { ...object };
  for (const member of ['data', 'stringData']) {
    const content = shown[member];
    if (!isJsonObject(content)) continue;
    shown[member] = Object.fromEntries(
      Object.entries(content).map(([name, value]) => [
        name,
        isToken && openTokenMembers.has(name) ? value : '***',
      ]),
    );
  }
  return shown;
}
