import type { ResourceDefinition, StoredObject } from '../contract.ts';
import { readStrings } from '../registry/read-path.ts';
import type { ControllerOptions } from './controller-options.ts';
import { type Again, Loop } from './loop.ts';
import { storedResources } from './served.ts';

const finalizer = 'kubernetes';

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export function createNamespaceEmptying(options: ControllerOptions): Loop {
  const { access, catalogue } = options;
  const definition = () => catalogue.find('', 'v1', 'namespaces');

  function terminating(name: string): StoredObject | undefined {
    const served = definition();
    const namespace = served && access.get(served, undefined, name);
    return namespace?.metadata.deletionTimestamp === undefined ? undefined : namespace;
  }

  /** Deletes what is in the namespace and counts what is still there. */
  async function empty(name: string): Promise<number> {
    const kinds = storedResources(catalogue).filter(({ namespaced }) => namespaced);
    for (const kind of kinds) {
      for (const object of access.list(kind, name)) {
        if (object.metadata.deletionTimestamp !== undefined) continue;
        await access.delete(kind, name, object.metadata.name ?? '', {
          propagationPolicy: 'Background',
        });
      }
    }
    return kinds.reduce((count, kind) => count + access.list(kind, name).length, 0);
  }

  async function finalize(served: ResourceDefinition, name: string): Promise<void> {
    const change = (object: StoredObject) => {
      const finalizers = readStrings(object, 'spec', 'finalizers');
      if (!finalizers.includes(finalizer)) return undefined;
      return { ...object, spec: { finalizers: finalizers.filter((each) => each !== finalizer) } };
    };
    await access.update(served, undefined, name, change, { subresource: 'finalize' });
  }

  async function reconcile(name: string): Promise<Again> {
    const served = definition();
    if (served === undefined || terminating(name) === undefined) return undefined;
    // What is held back by a finalizer or a grace period wakes this again when it goes.
    if ((await empty(name)) === 0) await finalize(served, name);
    return undefined;
  }

  return new Loop({
    name: 'namespace-emptying',
    ...options,
    seeds: () => {
      const served = definition();
      return served ? access.list(served).map((object) => object.metadata.name ?? '') : [];
    },
    keysOf(kind, { type, object }) {
      if (kind.group === '' && kind.plural === 'namespaces') return [object.metadata.name ?? ''];
      const { namespace } = object.metadata;
      if (namespace === undefined || type === 'MODIFIED') return [];
      return terminating(namespace) === undefined ? [] : [namespace];
    },
    reconcile,
  });
}
