import type { KeyObject } from 'node:crypto';
import type { HostFiles } from '@slipway/host';
import { generatePrivateKey, type KeyType } from '@slipway/pki';
import { keyTypeOf, type PkiSettings, wantedCertificates } from './pki-settings.ts';
import { pairPath } from './stored-pair.ts';

/**
 * Keys that are made ahead: all that are ordered at once, on as many processors as there are, while
 * whoever takes them comes one after the other. RSA keys are nearly all that a certificate costs.
 */
export class KeyStock {
  readonly #type: KeyType;
  readonly #made = new Map<string, Promise<KeyObject>>();

  constructor(settings: Pick<PkiSettings, 'cluster'>) {
    this.#type = keyTypeOf(settings.cluster);
  }

  /** Begins to make a key for each name that has none yet. */
  order(names: readonly string[]): void {
    for (const name of names) {
      if (!this.#made.has(name)) this.#made.set(name, generatePrivateKey(this.#type));
    }
  }

  /** The key of a name, which is nobody else's from now on. */
  take(name: string): Promise<KeyObject> {
    this.order([name]);
    const key = this.#made.get(name);
    this.#made.delete(name);
    return key ?? generatePrivateKey(this.#type);
  }
}

/**
 * For a workflow that makes the tree one certificate at a time: orders the keys of all that are not there
 * before it begins.
 */
export async function orderTreeKeys(
  keys: KeyStock,
  files: HostFiles,
  settings: PkiSettings,
): Promise<void> {
  const wanted = [...wantedCertificates(settings), { name: 'sa', baseName: 'sa' }];
  const missing = await Promise.all(
    wanted.map(async ({ name, baseName }) => {
      const path = pairPath(settings.cluster.certificatesDir, baseName);
      const stats = await Promise.all(['crt', 'key'].map((end) => files.stat(`${path}.${end}`)));
      return stats.every((stat) => stat === undefined) ? [name] : [];
    }),
  );
  keys.order(missing.flat());
}
