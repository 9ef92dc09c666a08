import { compareBytes } from '@slipway/base';
import type { Finding } from './finding.ts';

/** Flags of `init` that are configuration. Undefined: not given. */
export type InitFlags = {
  readonly apiserverAdvertiseAddress?: string | undefined;
  readonly apiserverBindPort?: number | undefined;
  readonly apiserverCertExtraSans?: readonly string[] | undefined;
  readonly certDir?: string | undefined;
  readonly certificateKey?: string | undefined;
  readonly controlPlaneEndpoint?: string | undefined;
  readonly criSocket?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** `Name=true`. */
  readonly featureGates?: readonly string[] | undefined;
  readonly ignorePreflightErrors?: readonly string[] | undefined;
  readonly imageRepository?: string | undefined;
  readonly kubernetesVersion?: string | undefined;
  /** Address, CIDR or interface: sets the advertised address and the kubelet's `node-ip`. */
  readonly nodeIp?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly patches?: string | undefined;
  readonly podNetworkCidr?: string | undefined;
  readonly serviceCidr?: string | undefined;
  readonly serviceDnsDomain?: string | undefined;
  readonly skipPhases?: readonly string[] | undefined;
  readonly token?: string | undefined;
  readonly tokenTtl?: string | undefined;
  /** `name=value`, of the phases of single components. */
  readonly apiserverExtraArgs?: readonly string[] | undefined;
  readonly controllerManagerExtraArgs?: readonly string[] | undefined;
  readonly schedulerExtraArgs?: readonly string[] | undefined;
};

/** Flags of `join` that are configuration. */
export type JoinFlags = {
  readonly apiserverAdvertiseAddress?: string | undefined;
  readonly apiserverBindPort?: number | undefined;
  readonly certificateKey?: string | undefined;
  readonly controlPlane?: boolean | undefined;
  readonly criSocket?: string | undefined;
  readonly discoveryFile?: string | undefined;
  readonly discoveryToken?: string | undefined;
  readonly discoveryTokenCaCertHash?: readonly string[] | undefined;
  readonly discoveryTokenUnsafeSkipCaVerification?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly ignorePreflightErrors?: readonly string[] | undefined;
  readonly nodeIp?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly patches?: string | undefined;
  readonly skipPhases?: readonly string[] | undefined;
  readonly tlsBootstrapToken?: string | undefined;
  /** Stands for both the discovery and the TLS bootstrap token. */
  readonly token?: string | undefined;
  /** The positional `host:port`. */
  readonly endpoint?: string | undefined;
};

/** Flags of `reset` that are configuration. */
export type ResetFlags = {
  readonly certDir?: string | undefined;
  readonly cleanupTmpDir?: boolean | undefined;
  readonly criSocket?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly ignorePreflightErrors?: readonly string[] | undefined;
  readonly skipPhases?: readonly string[] | undefined;
};

/** Flags of `upgrade` that are configuration, of all its sub-commands. */
export type UpgradeFlags = {
  readonly kubernetesVersion?: string | undefined;
  readonly allowExperimentalUpgrades?: boolean | undefined;
  readonly allowReleaseCandidateUpgrades?: boolean | undefined;
  readonly certificateRenewal?: boolean | undefined;
  readonly contextLines?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly etcdUpgrade?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly ignorePreflightErrors?: readonly string[] | undefined;
  readonly patches?: string | undefined;
  readonly printConfig?: boolean | undefined;
  readonly skipPhases?: readonly string[] | undefined;
};

/** What kubeadm allows beside `--config` (ValidateMixedArguments of Kubernetes 1.37.2), and our own. */
const allowedWithConfig = new Set([
  'config',
  'ignore-preflight-errors',
  'dry-run',
  'kubeconfig',
  'node-name',
  'kubeconfig-dir',
  'upload-certs',
  'print-manifest',
  'allow-missing-template-keys',
  'output',
  'show-managed-fields',
  'print-join-command',
  'rootfs',
  'v',
  'log-file',
  'yes',
  // Ours: there is no field for it.
  'node-ip',
  'strict',
  'allow-experimental-api',
]);

/** Flags (without dashes) that were given and do not go with `--config`, sorted; empty when all is well. */
export function flagsMixedWithConfig(given: readonly string[]): readonly string[] {
  if (!given.includes('config')) return [];
  return given
    .filter((flag) => !allowedWithConfig.has(flag) && !flag.startsWith('skip-'))
    .sort(compareBytes);
}

/** Checks to ignore, of the file and of the flags, in lower case; `all` beside others is an error. */
export function ignoredChecks(
  file: readonly string[],
  flags: readonly string[] | undefined,
): { readonly ignored: readonly string[]; readonly findings: readonly Finding[] } {
  const ignored = [...new Set([...file, ...(flags ?? [])].map((name) => name.toLowerCase()))].sort(
    compareBytes,
  );
  if (!ignored.includes('all') || ignored.length === 1) return { ignored, findings: [] };
  const finding: Finding = {
    code: 'bootstrap.config.preflight-ignore',
    severity: 'error',
    path: ['nodeRegistration', 'ignorePreflightErrors'],
    message: `all checks are ignored, and ${ignored.filter((name) => name !== 'all').join(', ')} as well`,
    hint: 'name the checks, or write all alone',
  };
  return { ignored, findings: [finding] };
}
