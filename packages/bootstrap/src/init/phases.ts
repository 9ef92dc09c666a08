import { ensureCertificates, type PkiName } from '../certificates/ensure-certificates.ts';
import { orderTreeKeys } from '../certificates/key-stock.ts';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { ControlPlaneComponent } from '../facts/paths.ts';
import { ensureKubeconfigs, orderKubeconfigKeys } from '../kubeconfigs/ensure-kubeconfigs.ts';
import type { KubeconfigName } from '../kubeconfigs/kubeconfig-specs.ts';
import type { Phase } from '../workflow/phase.ts';
import { waitForControlPlane, waitForKubelet } from '../workflow/wait-for-control-plane.ts';
import { installCoredns, installKubeProxy, installMachineConfig } from './addons.ts';
import { provideBootstrapTokens } from './bootstrap-token.ts';
import type { InitData } from './data.ts';
import { requireWhatIsSignedElsewhere } from './external-authority.ts';
import { enableClientRotation } from './kubelet-finalize.ts';
import { startKubelet } from './kubelet-start.ts';
import { markControlPlane } from './mark-control-plane.ts';
import { initPhaseFlags as flags } from './phase-flags.ts';
import { checkMachine } from './preflight.ts';
import { showJoinCommand } from './show-join-command.ts';
import { writeComponent, writeEtcd } from './static-pods.ts';
import { publishCertificates } from './upload-certificates.ts';
import { uploadClusterConfiguration, uploadKubeletConfiguration } from './upload-configuration.ts';

type InitPhase = Phase<InitData>;

const etcdIsExternal = 'etcd is external';

function ofLocalEtcd({ settings }: InitData): string | undefined {
  return 'external' in settings.cluster.etcd ? etcdIsExternal : undefined;
}

function certificate(name: PkiName, description: string, hasNames = false): InitPhase {
  const isOfEtcd = name.startsWith('etcd-') || name === 'apiserver-etcd-client';
  return {
    name,
    description,
    flags: hasNames ? flags.serving : flags.certificate,
    ...(isOfEtcd ? { skipReason: ofLocalEtcd } : {}),
    run: async ({ settings, ground, reporter, keys }) => {
      const { files, clock } = ground;
      const stock = keys === undefined ? {} : { keys };
      await ensureCertificates({ files, clock, settings, reporter, only: [name], ...stock });
    },
  };
}

const certificates: InitPhase = {
  name: 'certs',
  description: 'make certificates and keys',
  allFlags: flags.serving,
  run: async (data) => {
    const { settings, ground, keys } = data;
    await requireWhatIsSignedElsewhere(data);
    if (keys !== undefined) await orderTreeKeys(keys, ground.files, settings);
  },
  phases: [
    certificate('ca', 'authority of the cluster'),
    certificate('apiserver', 'what the API server serves with', true),
    certificate('apiserver-kubelet-client', 'what the API server comes to kubelets with'),
    certificate('front-proxy-ca', 'authority of the API aggregation layer'),
    certificate('front-proxy-client', 'what the API server comes to extension API servers with'),
    certificate('etcd-ca', 'authority of etcd'),
    certificate('etcd-server', 'what etcd serves with'),
    certificate('etcd-peer', 'what members of etcd talk to each other with'),
    certificate('etcd-healthcheck-client', 'what the health of etcd is probed with'),
    certificate('apiserver-etcd-client', 'what the API server comes to etcd with'),
    certificate('sa', 'key pair that signs the tokens of service accounts'),
  ],
};

function kubeconfig(name: KubeconfigName, description: string): InitPhase {
  return {
    name,
    description,
    flags: name === 'kubelet' ? flags.nodeKubeconfig : flags.kubeconfig,
    run: async ({ settings, ground, reporter, options, keys }) => {
      const { files, clock } = ground;
      const directory = options.kubeconfigDirectory;
      const given = { directory, only: [name], ...(keys === undefined ? {} : { keys }) };
      await ensureKubeconfigs({ files, clock, settings, reporter, ...given });
    },
  };
}

const kubeconfigs: InitPhase = {
  name: 'kubeconfig',
  description: 'make the kubeconfigs of administrators and components',
  allFlags: flags.nodeKubeconfig,
  run: async ({ settings, ground, options, keys }) => {
    const directory = options.kubeconfigDirectory;
    if (keys !== undefined) await orderKubeconfigKeys(keys, ground.files, { settings, directory });
  },
  phases: [
    kubeconfig('admin', 'of the administrator'),
    kubeconfig('super-admin', 'of the administrator whom no authorization binds'),
    kubeconfig('kubelet', 'of the kubelet of this node'),
    kubeconfig('controller-manager', 'of the controller manager'),
    kubeconfig('scheduler', 'of the scheduler'),
  ],
};

const etcd: InitPhase = {
  name: 'etcd',
  description: 'write the static pod of etcd',
  phases: [
    {
      name: 'local',
      description: 'of an etcd with this one member',
      flags: flags.etcd,
      skipReason: ofLocalEtcd,
      run: writeEtcd,
    },
  ],
};

function component(
  name: string,
  kind: ControlPlaneComponent,
  componentFlags: readonly string[],
): InitPhase {
  return {
    name,
    description: `of ${kind}`,
    flags: componentFlags,
    run: (data) => writeComponent(data, kind),
  };
}

const controlPlane: InitPhase = {
  name: 'control-plane',
  description: 'write the static pods of the control plane',
  allFlags: flags.controlPlane,
  phases: [
    component('apiserver', 'kube-apiserver', flags.apiServer),
    component('controller-manager', 'kube-controller-manager', flags.controllerManager),
    component('scheduler', 'kube-scheduler', flags.scheduler),
  ],
};

const waitControlPlane: InitPhase = {
  name: 'wait-control-plane',
  description: 'wait until kubelet and control plane are healthy',
  flags: flags.waitControlPlane,
  run: async (data) => {
    const { init } = data.settings;
    const { isDryRun } = data.options;
    const wait = { ...data, isDryRun, timeouts: init.timeouts };
    await waitForKubelet(wait);
    const client = () => data.access.client();
    await waitForControlPlane({ ...wait, endpoint: init.localAPIEndpoint, client });
  },
};

const uploadConfig: InitPhase = {
  name: 'upload-config',
  aliases: ['uploadconfig'],
  description: 'store the configuration in the cluster',
  allFlags: flags.uploadConfig,
  phases: [
    {
      name: 'kubeadm',
      description: 'of the cluster',
      flags: flags.uploadConfig,
      run: uploadClusterConfiguration,
    },
    {
      name: 'kubelet',
      description: 'of all kubelets',
      flags: flags.uploadConfig,
      run: uploadKubeletConfiguration,
    },
  ],
};

const kubeletFinalize: InitPhase = {
  name: 'kubelet-finalize',
  description: 'settings of the kubelet that wait for its certificate',
  allFlags: flags.kubeletFinalize,
  phases: [
    {
      name: 'enable-client-cert-rotation',
      description: 'use the certificate that the kubelet renews by itself',
      flags: flags.kubeletFinalize,
      run: enableClientRotation,
    },
  ],
};

function isDisabled(addon: 'dns' | 'proxy') {
  return ({ settings }: InitData): string | undefined => {
    const cluster: ClusterConfiguration = settings.cluster;
    return cluster[addon].disabled ? `${addon}.disabled is set` : undefined;
  };
}

const addon: InitPhase = {
  name: 'addon',
  description: 'install what every cluster needs',
  allFlags: flags.addon,
  phases: [
    {
      name: 'coredns',
      description: 'the DNS server of the cluster',
      flags: flags.coredns,
      skipReason: isDisabled('dns'),
      run: installCoredns,
    },
    {
      name: 'kube-proxy',
      description: 'the network proxy of every node',
      flags: flags.kubeProxy,
      skipReason: isDisabled('proxy'),
      run: installKubeProxy,
    },
    {
      name: 'machine-config',
      description: 'what machine configuration needs in the cluster',
      flags: flags.machineConfig,
      run: installMachineConfig,
    },
  ],
};

/** `init`: names, aliases and order are kubeadm's (v1.37); `addon/machine-config` is slipway's own. */
export const initPhases: readonly InitPhase[] = [
  {
    name: 'preflight',
    description: 'check what the machine has and what it needs',
    flags: flags.preflight,
    run: checkMachine,
  },
  certificates,
  kubeconfigs,
  etcd,
  controlPlane,
  {
    name: 'kubelet-start',
    description: 'write the settings of the kubelet and start it',
    flags: flags.kubeletStart,
    run: startKubelet,
  },
  waitControlPlane,
  uploadConfig,
  {
    name: 'upload-certs',
    description: 'publish the encrypted authorities for control planes that join',
    flags: flags.uploadCertificates,
    skipReason: ({ options }) =>
      options.uploadCertificates ? undefined : 'not asked for with --upload-certs',
    run: publishCertificates,
  },
  {
    name: 'mark-control-plane',
    description: 'label and taint the node',
    flags: flags.markControlPlane,
    run: markControlPlane,
  },
  {
    name: 'bootstrap-token',
    aliases: ['bootstraptoken'],
    description: 'make tokens, and what nodes that join with them may do',
    flags: flags.bootstrapToken,
    run: provideBootstrapTokens,
  },
  kubeletFinalize,
  addon,
  {
    name: 'show-join-command',
    description: 'tell how to join further nodes',
    flags: flags.showJoinCommand,
    needs: ['bootstrap-token', 'upload-certs'],
    run: showJoinCommand,
  },
];
