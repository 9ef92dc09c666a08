import { readBootstrapTokenSecret, tokenSecretNamespace, tokenSecretType } from '@slipway/pki';
import type { StoredObject } from '../contract.ts';
import { readObject, readText } from '../registry/read-path.ts';
import type { ControllerOptions } from './controller-options.ts';
import { type Again, Loop } from './loop.ts';

/** A Secret as a bootstrap token; undefined: it is none. */
export function tokenOf(secret: StoredObject | undefined) {
  if (secret === undefined || readText(secret, 'type') !== tokenSecretType) return undefined;
  const entries = Object.entries(readObject(secret, 'data'));
  const data = Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
  return readBootstrapTokenSecret({ type: tokenSecretType, data });
}

/** Deletes bootstrap tokens when they expire. */
export function createTokenExpiry(options: ControllerOptions): Loop {
  const { access, catalogue, clock } = options;
  const definition = () => catalogue.find('', 'v1', 'secrets');
  return new Loop({
    name: 'token-expiry',
    ...options,
    seeds: () => {
      const served = definition();
      if (served === undefined) return [];
      return access.list(served, tokenSecretNamespace).map(({ metadata }) => metadata.name ?? '');
    },
    keysOf: ({ group, plural }, { type, object: { metadata } }) =>
      group === '' &&
      plural === 'secrets' &&
      type !== 'DELETED' &&
      metadata.namespace === tokenSecretNamespace
        ? [metadata.name ?? '']
        : [],
    async reconcile(name): Promise<Again> {
      const served = definition();
      const secret = served && access.get(served, tokenSecretNamespace, name);
      const expiresAt = tokenOf(secret)?.expiresAt;
      if (served === undefined || expiresAt === undefined) return undefined;
      const left = expiresAt - clock.now();
      if (left > 0) return Math.min(left, maxWaitMs);
      await access.delete(served, tokenSecretNamespace, name);
      return undefined;
    },
  });
}

/** Longest single wait; timers of the machine cannot wait for longer than 24 days. */
const maxWaitMs = 24 * 60 * 60 * 1000;
