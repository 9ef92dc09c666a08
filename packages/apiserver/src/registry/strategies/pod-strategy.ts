import { jsonEqual } from '@slipway/base';
import type { FieldError, StoredObject, Strategy } from '../../contract.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { readList, readObject, readPath, readText } from '../read-path.ts';
import { withMember } from './object-strategies.ts';

type Container = Readonly<Record<string, unknown>>;

const evictionTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function allContainers(pod: StoredObject): readonly Container[] {
  return [...readList(pod, 'spec', 'initContainers'), ...readList(pod, 'spec', 'containers')];
}

const zeroQuantity = /^[+-]?0*(\.0*)?[a-zA-Z]*$/;

function amounts(containers: readonly Container[], part: string): readonly [string, unknown][][] {
  return containers.map((container) =>
    Object.entries(readObject(container, 'resources', part)).filter(
      ([name, value]) => ['cpu', 'memory'].includes(name) && !zeroQuantity.test(String(value)),
    ),
  );
}

/** Guaranteed, Burstable or BestEffort, by requests and limits (component-helpers `qos`). */
function qualityOfService(pod: StoredObject): string {
  const containers = allContainers(pod);
  const requests = amounts(containers, 'requests');
  const limits = amounts(containers, 'limits');
  const nothing = [...requests, ...limits].every((entry) => entry.length === 0);
  if (nothing) return 'BestEffort';
  const full = limits.every((entry) => entry.length === 2);
  const same = requests.every((entry, index) =>
    jsonEqual(Object.fromEntries(entry), Object.fromEntries(limits[index] ?? [])),
  );
  return full && same ? 'Guaranteed' : 'Burstable';
}

/** What upstream's DefaultTolerationSeconds admission adds. */
function withTolerations(pod: StoredObject): StoredObject {
  const given = readList(pod, 'spec', 'tolerations');
  const missing = evictionTaints.filter(
    (key) =>
      !given.some(
        (toleration) =>
          (toleration['key'] === key || toleration['key'] === undefined) &&
          [undefined, '', 'NoExecute'].includes(toleration['effect'] as string | undefined),
      ),
  );
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  const spec = { ...readObject(pod, 'spec'), tolerations: [...given, ...added] };
  return withMember(pod, 'spec', spec);
}

function prepareForCreate(pod: StoredObject): StoredObject {
  const spec = { ...readObject(pod, 'spec') };
  spec['priority'] ??= 0;
  spec['preemptionPolicy'] ??= 'PreemptLowerPriority';
  const status = { phase: 'Pending', qosClass: qualityOfService(pod) };
  return withMember(withTolerations(withMember(pod, 'spec', spec)), 'status', status);
}

function containerErrors(pod: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  if (readList(pod, 'spec', 'containers').length === 0) errors.push(required('spec.containers'));
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of readList(pod, 'spec', list).entries()) {
      const field = `spec.${list}[${index}]`;
      if (readText(container, 'name') === '') errors.push(required(`${field}.name`));
      if (readText(container, 'image') === '') errors.push(required(`${field}.image`));
    }
  }
  return errors;
}

/** The spec without what may change after creation. */
function fixedSpec(pod: StoredObject): unknown {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    terminationGracePeriodSeconds: _grace,
    schedulingGates: _gates,
    ...spec
  } = readObject(pod, 'spec');
  const withoutImages = (list: string) =>
    readList(pod, 'spec', list).map(({ image: _image, ...container }) => container);
  return {
    ...spec,
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
  };
}

const changeText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function updateErrors(pod: StoredObject, old: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  if (!jsonEqual(fixedSpec(pod), fixedSpec(old))) errors.push(forbidden('spec', changeText));
  const now = readList(pod, 'spec', 'tolerations');
  const lost = readList(old, 'spec', 'tolerations').some(
    (before) => !now.some((toleration) => toleration['key'] === before['key']),
  );
  if (lost) {
    const text = 'existing toleration can not be modified except its tolerationSeconds';
    errors.push(forbidden('spec.tolerations', text));
  }
  const grace = readPath(pod, 'spec', 'terminationGracePeriodSeconds');
  if (grace !== readPath(old, 'spec', 'terminationGracePeriodSeconds')) {
    errors.push(invalid('spec.terminationGracePeriodSeconds', grace, 'field is immutable'));
  }
  return errors;
}

export const podStrategy: Strategy = {
  prepareForCreate,
  prepareForUpdate: (pod, old) => {
    const status = readObject(pod, 'status');
    const qosClass = readPath(old, 'status', 'qosClass');
    return qosClass === undefined || status['qosClass'] === qosClass
      ? pod
      : withMember(pod, 'status', { ...status, qosClass });
  },
  validate: (pod, old) => [
    ...containerErrors(pod),
    ...(old === undefined ? [] : updateErrors(pod, old)),
  ],
};
