import type { CustomResourceDefinition } from '@slipway/api';
import { compileRules, hasRules } from '../cel/compile-rules.ts';
import type { Expressions } from '../cel/expressions.ts';
import type {
  AdmissionPlugin,
  AdmissionRequest,
  FieldError,
  LocalAccess,
  ResourceCatalogue,
} from '../contract.ts';
import { TimeIsOver, withinTime } from '../schema/bounded-time.ts';
import { invalid as invalidField } from '../schema/field-errors.ts';
import { invalid, methodNotSupported } from '../status/status-errors.ts';
import { asCrd, cleanupFinalizer, crdDefinition, isCrdDefinition, schemaOf } from './crd-object.ts';
import { schemaPathOf, validateCrd } from './validate-crd.ts';

export type CrdAdmissionOptions = {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly expressions: () => Promise<Expressions>;
};

async function ruleErrors(
  crd: CustomResourceDefinition,
  load: () => Promise<Expressions>,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of crd.spec.versions.entries()) {
    const schema = schemaOf(version);
    const path = schemaPathOf(crd, index);
    if (schema === undefined || seen.has(path) || !hasRules(schema)) continue;
    seen.add(path);
    errors.push(...compileRules(schema, await load(), path).errors);
  }
  return errors;
}

/** Instances must go before their definition does; as upstream, the finalizer comes with the first delete. */
async function addFinalizer(request: AdmissionRequest, access: LocalAccess): Promise<void> {
  const { finalizers = [], deletionTimestamp } = request.oldObject?.metadata ?? {};
  if (request.dryRun || deletionTimestamp !== undefined || finalizers.includes(cleanupFinalizer)) {
    return;
  }
  await access.update(request.definition, undefined, request.name, (object) => {
    const before = object.metadata.finalizers ?? [];
    if (before.includes(cleanupFinalizer)) return undefined;
    const metadata = { ...object.metadata, finalizers: [...before, cleanupFinalizer] };
    return { ...object, metadata };
  });
}

/** Defaults are matched against patterns, too. */
function checkInTime(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  try {
    return withinTime(() => validateCrd(crd, old));
  } catch (error) {
    if (!(error instanceof TimeIsOver)) throw error;
    return [invalidField('spec', 'object', `the check of its schemas ${error.message}`)];
  }
}

async function judge(request: AdmissionRequest, options: CrdAdmissionOptions): Promise<void> {
  const { object, oldObject } = request;
  if (object === undefined || oldObject?.metadata.deletionTimestamp !== undefined) return;
  const crd = asCrd(object);
  if (crd === undefined) {
    const error = invalidField('spec', object['spec'], 'must have group, names and versions');
    throw invalid(request.definition, request.name, [error]);
  }
  const old = oldObject === undefined ? undefined : asCrd(oldObject);
  const errors = checkInTime(crd, old);
  const all = errors.length > 0 ? errors : await ruleErrors(crd, options.expressions);
  if (all.length > 0) throw invalid(request.definition, request.name, all);
}

function scaleWarnings({ object }: AdmissionRequest): readonly string[] {
  const versions = (object && asCrd(object))?.spec.versions ?? [];
  return versions.flatMap(({ subresources }, index) =>
    subresources?.scale === undefined
      ? []
      : [`spec.versions[${index}].subresources.scale: this server does not serve /scale`],
  );
}

/** Instances of a definition that is being deleted would be left behind. */
function refuseWhileTerminating(request: AdmissionRequest, options: CrdAdmissionOptions): void {
  const { definition, operation } = request;
  const served = crdDefinition(options.catalogue);
  if (!definition.custom || operation !== 'CREATE' || served === undefined) return;
  const name = `${definition.plural}.${definition.group}`;
  const crd = options.access.get(served, undefined, name);
  if (crd?.metadata.deletionTimestamp === undefined) return;
  throw methodNotSupported(
    definition,
    'create not allowed while custom resource definition is terminating',
  );
}

/** Judges CustomResourceDefinitions, rules included, and holds them until their instances are gone. */
export function createCrdAdmission(options: CrdAdmissionOptions): AdmissionPlugin {
  return {
    name: 'CustomResourceDefinition',
    async validate(request) {
      refuseWhileTerminating(request, options);
      if (!isCrdDefinition(request.definition) || request.subresource !== undefined) return [];
      if (request.operation === 'DELETE') {
        await addFinalizer(request, options.access);
        return [];
      }
      await judge(request, options);
      return scaleWarnings(request);
    },
  };
}
