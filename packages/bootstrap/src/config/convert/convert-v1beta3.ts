import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import type { Finding } from '../finding.ts';
import { argumentPath, argumentsOfMap, type Conversion, present } from './converted.ts';

/** kubeadm.k8s.io/v1beta3 as v1beta4 (reference: the change list of v1beta4, and its conversion functions). */
export function convertV1beta3(kind: string, object: JsonObject): Conversion {
  if (kind === 'ClusterConfiguration') return convertCluster(object);
  if (kind === 'JoinConfiguration') return convertJoin(object);
  const converted = { ...object, ...registration(object) };
  return {
    documents: [{ kind: 'InitConfiguration', object: converted, sourcePath: argumentPath(object) }],
    findings: [],
  };
}

function registration(object: JsonObject): JsonObject {
  if (!isJsonObject(object['nodeRegistration'])) return {};
  const given = object['nodeRegistration'];
  return { nodeRegistration: withArguments(given, 'kubeletExtraArgs') };
}

function withArguments(object: JsonObject, key: string): JsonObject {
  const { [key]: map, ...rest } = object;
  return present({ ...rest, [key]: argumentsOfMap(map) });
}

function convertCluster(object: JsonObject): Conversion {
  const { apiServer, controllerManager, scheduler, etcd, featureGates, ...rest } = object;
  const components = { apiServer, controllerManager, scheduler };
  const converted: Record<string, JsonObject | undefined> = {};
  for (const [name, component] of Object.entries(components)) {
    if (isJsonObject(component)) converted[name] = withArguments(component, 'extraArgs');
  }
  const { timeoutForControlPlane, ...server } = converted['apiServer'] ?? {};
  if (apiServer !== undefined) converted['apiServer'] = server;
  const gates = withoutKeyGate(featureGates);
  const cluster = present({
    ...rest,
    ...present(converted),
    etcd: isJsonObject(etcd) ? convertEtcd(etcd) : undefined,
    featureGates: gates.featureGates,
    encryptionAlgorithm: gates.encryptionAlgorithm,
  });
  const timeouts = present({ controlPlaneComponentHealthCheck: timeoutForControlPlane });
  return {
    documents: [
      { kind: 'ClusterConfiguration', object: cluster, sourcePath: argumentPath(object) },
      ...(timeoutForControlPlane === undefined
        ? []
        : [{ kind: 'InitConfiguration' as const, object: { timeouts } }]),
    ],
    findings: gates.findings,
  };
}

function convertEtcd(etcd: JsonObject): JsonObject {
  const local = etcd['local'];
  return isJsonObject(local) ? { ...etcd, local: withArguments(local, 'extraArgs') } : etcd;
}

type Gates = {
  readonly featureGates?: JsonObject;
  readonly encryptionAlgorithm?: string;
  readonly findings: readonly Finding[];
};

/** The gate PublicKeysECDSA became the field `encryptionAlgorithm`. */
function withoutKeyGate(featureGates: JsonValue | undefined): Gates {
  if (!isJsonObject(featureGates)) return { findings: [] };
  const { PublicKeysECDSA: gate, ...others } = featureGates;
  if (gate === undefined) return { featureGates: others, findings: [] };
  const finding: Finding = {
    code: 'bootstrap.config.field-dropped',
    severity: 'warning',
    path: ['featureGates', 'PublicKeysECDSA'],
    message: 'the feature gate PublicKeysECDSA became the field encryptionAlgorithm',
    hint: gate === true ? 'write encryptionAlgorithm: ECDSA-P256' : 'remove it',
  };
  return {
    ...(Object.keys(others).length === 0 ? {} : { featureGates: others }),
    ...(gate === true ? { encryptionAlgorithm: 'ECDSA-P256' } : {}),
    findings: [finding],
  };
}

function convertJoin(object: JsonObject): Conversion {
  const { discovery, ...rest } = object;
  const { timeout, ...remaining } = isJsonObject(discovery) ? discovery : {};
  const converted = present({
    ...rest,
    ...registration(object),
    discovery: discovery === undefined ? undefined : remaining,
    timeouts: timeout === undefined ? undefined : { discovery: timeout },
  });
  const source = argumentPath(object);
  return {
    documents: [
      {
        kind: 'JoinConfiguration',
        object: converted,
        sourcePath: (path) => (path[0] === 'timeouts' ? ['discovery', 'timeout'] : source(path)),
      },
    ],
    findings: [],
  };
}
