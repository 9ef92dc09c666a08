import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, silentLogger, startAll, stopAll, systemClock } from '@slipway/base';
import { createCertificateAuthority, dayMs } from '@slipway/pki';
import type {
  AdmissionPlugin,
  LocalAccess,
  ResourceCatalogue,
  ResourceDefinition,
  StoredObject,
  User,
} from './contract.ts';
import { createExtensions, type Extensions } from './extensions.ts';
import { builtinKinds } from './registry/builtin-kinds.ts';
import { createCatalogue } from './registry/catalogue.ts';
import { Store } from './storage/store.ts';
import { createLocalAccess } from './verbs/local-access.ts';
import { ObjectWriter } from './verbs/object-writer.ts';

/** The server without HTTP: store, registry, and all extensions, started. */
export type Bench = AsyncDisposable & {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly extensions: Extensions;
  readonly writer: ObjectWriter;
  definition(group: string, plural: string): ResourceDefinition;
  get(group: string, plural: string, key: string): StoredObject | undefined;
  create(object: object, user?: User): Promise<StoredObject>;
  /** Resolves when `check` returns something, looked at in every turn of the event loop. */
  until<T>(check: () => T | undefined): Promise<T>;
};

export const admin: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

const authority = await createCertificateAuthority({
  commonName: 'kubernetes',
  validity: { now: Date.now(), validityMs: 3650 * dayMs },
});

function splitVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

export async function startBench(clock: Clock = systemClock): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'apiserver-bench-'));
  const store = new Store({ path: join(folder, 'state.db'), clock });
  const catalogue = createCatalogue(builtinKinds(clock));
  const admission: AdmissionPlugin[] = [];
  const writer = new ObjectWriter({ store, clock, admission });
  const access = createLocalAccess(store, writer, catalogue);
  const extensions = createExtensions({
    catalogue,
    access,
    clock,
    logger: silentLogger,
    certificateAuthority: authority,
    clusterInfo: () => ({
      server: 'https://127.0.0.1:6443',
      certificateAuthorityPem: authority.certificatePem,
    }),
  });
  admission.push(...extensions.admission);
  await startAll(extensions.controllers);

  function definition(group: string, plural: string): ResourceDefinition {
    const found = catalogue.all().find((each) => each.group === group && each.plural === plural);
    if (found === undefined) throw new Error(`bench: ${group}/${plural} is not served`);
    return found;
  }

  return {
    catalogue,
    access,
    extensions,
    writer,
    definition,
    get(group, plural, key) {
      const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
      return access.get(definition(group, plural), namespace, name ?? '');
    },
    async create(object, user = admin) {
      const { apiVersion, kind } = object as StoredObject;
      const [group, version] = splitVersion(apiVersion);
      const served = catalogue.findKind(group, version, kind);
      if (served === undefined) throw new Error(`bench: ${apiVersion} ${kind} is not served`);
      const decoded = served.schema.prune(object).object;
      const context = { user, dryRun: false, warnings: [] };
      const namespace = served.namespaced ? decoded.metadata.namespace : undefined;
      const record = await writer.create(served, namespace, decoded, context);
      return record.object(served);
    },
    async until(check) {
      const limit = systemClock.monotonic() + 5000;
      for (;;) {
        const found = check();
        if (found !== undefined) return found;
        if (systemClock.monotonic() > limit) throw new Error('bench: waited 5 s');
        await setImmediate();
      }
    },
    async [Symbol.asyncDispose]() {
      await stopAll(extensions.controllers);
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
