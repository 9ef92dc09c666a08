import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import { present } from './convert/converted.ts';
import type { InitFlags, JoinFlags, ResetFlags } from './flags.ts';

/** Flags as documents of v1beta4, laid over what the file says. */

/** `given` with the members of `over` that are there; objects are merged. */
export function overlay(given: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...given };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isJsonObject(value) && isJsonObject(below) ? overlay(below, value) : value;
  }
  return merged;
}

function group(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const object = present(members);
  return Object.keys(object).length === 0 ? undefined : object;
}

export function initOfFlags(flags: InitFlags): JsonObject {
  const { token, tokenTtl } = flags;
  const entry = group({ token, ttl: tokenTtl });
  return present({
    localAPIEndpoint: group({
      advertiseAddress: flags.apiserverAdvertiseAddress,
      bindPort: flags.apiserverBindPort,
    }),
    nodeRegistration: group({ name: flags.nodeName, criSocket: flags.criSocket }),
    bootstrapTokens: entry === undefined ? undefined : [entry],
    certificateKey: flags.certificateKey,
    dryRun: flags.dryRun,
    skipPhases: listOf(flags.skipPhases),
    patches: group({ directory: flags.patches }),
  });
}

export function clusterOfFlags(flags: InitFlags): JsonObject {
  return present({
    kubernetesVersion: flags.kubernetesVersion,
    controlPlaneEndpoint: flags.controlPlaneEndpoint,
    certificatesDir: flags.certDir,
    imageRepository: flags.imageRepository,
    featureGates: gatesOf(flags.featureGates),
    networking: group({
      serviceSubnet: flags.serviceCidr,
      podSubnet: flags.podNetworkCidr,
      dnsDomain: flags.serviceDnsDomain,
    }),
    apiServer: group({
      certSANs: listOf(flags.apiserverCertExtraSans),
      extraArgs: argumentsOfFlag(flags.apiserverExtraArgs),
    }),
    controllerManager: group({ extraArgs: argumentsOfFlag(flags.controllerManagerExtraArgs) }),
    scheduler: group({ extraArgs: argumentsOfFlag(flags.schedulerExtraArgs) }),
  });
}

export function joinOfFlags(flags: JoinFlags): JsonObject {
  const token = flags.discoveryToken ?? flags.token;
  const endpoint = group({
    advertiseAddress: flags.apiserverAdvertiseAddress,
    bindPort: flags.apiserverBindPort,
  });
  const controlPlane = present({
    localAPIEndpoint: endpoint,
    certificateKey: flags.certificateKey,
  });
  return present({
    nodeRegistration: group({ name: flags.nodeName, criSocket: flags.criSocket }),
    discovery: group({
      bootstrapToken: group({
        token,
        apiServerEndpoint: flags.endpoint,
        caCertHashes: listOf(flags.discoveryTokenCaCertHash),
        unsafeSkipCAVerification: flags.discoveryTokenUnsafeSkipCaVerification,
      }),
      file: group({ kubeConfigPath: flags.discoveryFile }),
      tlsBootstrapToken: flags.tlsBootstrapToken ?? flags.token,
    }),
    controlPlane: flags.controlPlane === true ? controlPlane : undefined,
    dryRun: flags.dryRun,
    skipPhases: listOf(flags.skipPhases),
    patches: group({ directory: flags.patches }),
  });
}

export function resetOfFlags(flags: ResetFlags): JsonObject {
  return present({
    certificatesDir: flags.certDir,
    cleanupTmpDir: flags.cleanupTmpDir,
    criSocket: flags.criSocket,
    dryRun: flags.dryRun,
    force: flags.force,
    skipPhases: listOf(flags.skipPhases),
  });
}

function listOf(values: readonly string[] | undefined): JsonValue | undefined {
  return values === undefined || values.length === 0 ? undefined : [...values];
}

/** `name=value`; the name alone has the empty value. */
function argumentsOfFlag(values: readonly string[] | undefined): JsonValue | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return values.map((text) => {
    const [name = '', ...rest] = text.split('=');
    return { name, value: rest.join('=') };
  });
}

/** `Name=true`; any other value than true and false is kept out and refused by name. */
function gatesOf(values: readonly string[] | undefined): JsonValue | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return Object.fromEntries(
    values.map((text) => {
      const [name = '', value = 'true'] = text.split('=');
      return value === 'true' || value === 'false' ? [name, value === 'true'] : [text, false];
    }),
  );
}
