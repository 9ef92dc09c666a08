import { knownReleases } from '../upgrade/known-releases.ts';
import { parseKubernetesVersion } from '../version/kubernetes-version.ts';
import type { InitSettings, JoinConfiguration } from './configuration.ts';
import {
  defaultCertificatesDirectory,
  defaultCluster,
  defaultCriSocket,
  defaultTimeouts,
  tokensOf,
} from './defaults.ts';
import {
  joinDocuments,
  renderClusterConfiguration,
  renderInitConfiguration,
  renderJoinConfiguration,
  renderResetConfiguration,
  renderUpgradeConfiguration,
} from './render.ts';
import { settleUpgrade } from './settle-upgrade.ts';

/** Stands where a real token would be a secret; kubeadm prints the same. */
const placeholderToken = 'abcdef.0123456789abcdef';

const node = {
  criSocket: defaultCriSocket,
  kubeletExtraArgs: [],
  ignorePreflightErrors: [],
  imagePullPolicy: 'IfNotPresent',
  imagePullSerial: true,
} as const;

/** The first release of the newest minor, without the `v`: `1.37.0`. */
function printedVersion(): string {
  const { major, minor } = parseKubernetesVersion(knownReleases.at(-1) ?? '') ?? {
    major: 1,
    minor: 0,
  };
  return `${major}.${minor}.0`;
}

/** What `config print init-defaults` is about: placeholders for the node, defaults for the cluster. */
export function initDefaults(): InitSettings {
  return {
    init: {
      bootstrapTokens: tokensOf([{ token: placeholderToken }]),
      dryRun: false,
      nodeRegistration: { ...node, name: 'node', taints: [] },
      localAPIEndpoint: { advertiseAddress: '1.2.3.4', bindPort: 6443 },
      skipPhases: [],
      timeouts: defaultTimeouts,
    },
    cluster: defaultCluster({ kubernetesVersion: printedVersion() }),
    components: {},
  };
}

export function printInitDefaults(): string {
  const { init, cluster } = initDefaults();
  // Null, not empty: which taints a node gets is decided by its role.
  const nodeRegistration = { ...init.nodeRegistration, taints: null };
  return joinDocuments([
    renderInitConfiguration({ ...init, nodeRegistration }),
    renderClusterConfiguration(cluster),
  ]);
}

/** `nodeName`: that of this machine, as kubeadm shows it. */
export function printJoinDefaults(nodeName: string): string {
  const join: Omit<JoinConfiguration, 'nodeRegistration'> = {
    dryRun: false,
    caCertPath: `${defaultCertificatesDirectory}/ca.crt`,
    discovery: {
      bootstrapToken: {
        token: placeholderToken,
        apiServerEndpoint: 'kube-apiserver:6443',
        caCertHashes: [],
        unsafeSkipCAVerification: true,
      },
      tlsBootstrapToken: placeholderToken,
    },
    skipPhases: [],
    timeouts: defaultTimeouts,
  };
  const nodeRegistration = { ...node, name: nodeName.trim().toLowerCase(), taints: null };
  return renderJoinConfiguration({ ...join, nodeRegistration });
}

export function printResetDefaults(): string {
  return renderResetConfiguration({
    cleanupTmpDir: false,
    certificatesDir: defaultCertificatesDirectory,
    criSocket: defaultCriSocket,
    dryRun: false,
    force: false,
    ignorePreflightErrors: [],
    skipPhases: [],
    unmountFlags: [],
    timeouts: defaultTimeouts,
  });
}

export function printUpgradeDefaults(): string {
  const { value } = settleUpgrade({});
  return value === undefined ? '' : renderUpgradeConfiguration(value);
}
