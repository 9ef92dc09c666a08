import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  machineConfigurationDefinitions,
} from '@slipway/api';
import { type Clock, canonicalJson, TransientError } from '@slipway/base';
import { sha256 } from '@slipway/ignition';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '@slipway/kube';
import type { OperatorErrorCode } from '../errors.ts';

/** Digest of the spec that was applied: tells whether a definition must be updated, whatever the server added. */
const digestAnnotation = 'machineconfiguration.alauda.io/definition-digest';
const pollMs = 50;
const establishTimeoutMs = 30_000;

function digestOf(definition: CustomResourceDefinition): string {
  const bytes = new TextEncoder().encode(canonicalJson(definition.spec));
  return Buffer.from(sha256(bytes)).toString('hex').slice(0, 32);
}

function stamped(definition: CustomResourceDefinition): CustomResourceDefinition {
  const annotations = {
    ...definition.metadata?.annotations,
    [digestAnnotation]: digestOf(definition),
  };
  return { ...definition, metadata: { ...definition.metadata, annotations } };
}

async function readDefinition(
  client: KubeClient,
  name: string,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(customResourceDefinitions, name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** One try; false when somebody else wrote at the same time. */
async function applyOnce(
  client: KubeClient,
  definition: CustomResourceDefinition,
): Promise<boolean> {
  const live = await readDefinition(client, definition.metadata?.name ?? '');
  try {
    if (live === undefined) {
      await client.create(customResourceDefinitions, stamped(definition));
      return true;
    }
    if (live.metadata?.annotations?.[digestAnnotation] === digestOf(definition)) return true;
    const annotations = {
      ...live.metadata?.annotations,
      ...stamped(definition).metadata?.annotations,
    };
    await client.update(customResourceDefinitions, {
      ...live,
      metadata: { ...live.metadata, annotations },
      // What we do not declare, such as a conversion, stays.
      spec: { ...live.spec, ...definition.spec },
    });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}

function isEstablished(definition: CustomResourceDefinition | undefined): boolean {
  return (definition?.status?.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}

async function waitEstablished(
  client: KubeClient,
  name: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.monotonic() + establishTimeoutMs;
  while (!isEstablished(await readDefinition(client, name))) {
    if (clock.monotonic() > until) {
      const code: OperatorErrorCode = 'operator.definition-not-established';
      throw new TransientError(`install ${name}: not established in time`, { code });
    }
    await clock.sleep(pollMs, signal);
  }
}

/** Creates or updates our CustomResourceDefinitions and waits until the server serves them. */
export async function applyDefinitions(
  client: KubeClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    machineConfigurationDefinitions.map(async (definition) => {
      while (!(await applyOnce(client, definition))) await clock.sleep(pollMs, signal);
      await waitEstablished(client, definition.metadata?.name ?? '', clock, signal);
    }),
  );
}
