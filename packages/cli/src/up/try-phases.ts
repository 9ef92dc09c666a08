import { join } from 'node:path';
import { silentLogger, systemClock } from '@slipway/base';
import {
  createInitClusterAccess,
  type Ground,
  type InitClusterAccess,
  type InitData,
  type InitSettings,
  initPhases,
  kubernetesPaths,
  runWorkflow,
} from '@slipway/bootstrap';
import { createRootFolderFiles, describedMachine } from '@slipway/host';
import type { Output } from '../output.ts';
import { makePrivateDirectory } from './private-file.ts';

/** The phases of `init` for a control plane that is part of this process. */
export type TryPhases = {
  /** What is there before the API server is: certificates and kubeconfigs. */
  prepare(): Promise<void>;
  /** What an API server that answers is filled with: configuration, tokens, rights of joining hosts. */
  fill(): Promise<void>;
  /** Labels and taints a host that joined as control plane. */
  markControlPlane(nodeName: string): Promise<void>;
  readonly access: InitClusterAccess;
  readonly ground: Ground;
};

/** Parts of a real control plane: the API server of this process stands in for all of them. */
const notNeeded = [
  'kubeconfig/kubelet',
  'kubeconfig/controller-manager',
  'kubeconfig/scheduler',
  'certs/etcd-ca',
  'certs/etcd-server',
  'certs/etcd-peer',
  'certs/etcd-healthcheck-client',
  'certs/apiserver-etcd-client',
];

/** A folder that is the root of the machine which the control plane would run on; made when missing. */
export async function createTryGround(root: string, userId: number): Promise<Ground> {
  await makePrivateDirectory(join(root, 'etc'));
  const files = createRootFolderFiles({ root, userId });
  if (files === undefined) throw new TypeError(`open ${root}: no directory`);
  return {
    files,
    machine: describedMachine(),
    clock: systemClock,
    logger: silentLogger,
    variables: {},
  };
}

/** Walks the tree of `slipway init`; what is skipped is what this process stands in for. */
export function createTryPhases(ground: Ground, settings: InitSettings, output: Output): TryPhases {
  const reporter = {
    // Dozens of lines that say what `slipway up` says in one.
    phase: () => undefined,
    line: () => undefined,
    problem: (text: string) => output.problem(text),
  };
  const kubeconfig = kubernetesPaths.adminKubeconfig;
  const access = createInitClusterAccess({
    settings,
    ground,
    reporter,
    isDryRun: false,
  });
  const data: InitData = {
    settings,
    ground,
    machineGround: ground,
    patches: [],
    reporter,
    access,
    certificateKey: () => '',
    options: {
      isDryRun: false,
      uploadCertificates: false,
      skipTokenPrint: true,
      skipCertificateKeyPrint: true,
      kubeconfig,
      kubeconfigDirectory: kubernetesPaths.directory,
      printManifest: false,
    },
  };
  const run = (names: readonly string[], also: readonly string[] = [], changed = data) => {
    const skip = initPhases.map(({ name }) => name).filter((name) => !names.includes(name));
    return runWorkflow({
      phases: initPhases,
      selection: { skip: [...skip, ...also] },
      data: changed,
      reporter,
    });
  };
  return {
    access,
    ground,
    prepare: () => run(['certs', 'kubeconfig'], notNeeded),
    fill: () => run(['upload-config', 'bootstrap-token']),
    markControlPlane: (name) => {
      const nodeRegistration = { ...settings.init.nodeRegistration, name };
      const init = { ...settings.init, nodeRegistration };
      return run(['mark-control-plane'], [], { ...data, settings: { ...settings, init } });
    },
  };
}
