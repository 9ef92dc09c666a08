import type { Phase } from '../workflow/phase.ts';
import { waitForControlPlane } from '../workflow/wait-for-control-plane.ts';
import {
  fetchAuthorities,
  makeCertificates,
  makeKubeconfigs,
  writeControlPlane,
} from './control-plane-prepare.ts';
import type { JoinData } from './data.ts';
import { checkEtcd, joinStackedEtcd } from './etcd-member.ts';
import { startKubelet, waitForBootstrap } from './kubelet.ts';
import { markControlPlane } from './mark-control-plane.ts';
import { checkMachine } from './preflight.ts';

type JoinPhase = Phase<JoinData>;

const discovery = [
  'discovery-file',
  'discovery-token',
  'discovery-token-ca-cert-hash',
  'discovery-token-unsafe-skip-ca-verification',
  'tls-bootstrap-token',
  'token',
];
const common = ['config', 'dry-run'];
const endpoint = ['apiserver-advertise-address', 'apiserver-bind-port'];
const controlPlane = [...common, 'control-plane'];

function ofControlPlane({ join }: JoinData): string | undefined {
  return join.controlPlane === undefined ? 'this node becomes a worker' : undefined;
}

const prepare: JoinPhase = {
  name: 'control-plane-prepare',
  description: 'make what a further control plane needs',
  allFlags: [...controlPlane, ...endpoint, ...discovery, 'certificate-key', 'node-name', 'patches'],
  phases: [
    {
      name: 'download-certs',
      description: 'fetch the authorities that another control plane uploaded',
      flags: [...controlPlane, ...discovery, 'certificate-key'],
      skipReason: (data) =>
        ofControlPlane(data) ??
        (data.join.controlPlane?.certificateKey === undefined
          ? 'no --certificate-key: the authorities have to be there'
          : undefined),
      run: fetchAuthorities,
    },
    {
      name: 'certs',
      description: 'make the certificates of this control plane',
      flags: [...controlPlane, ...discovery, 'apiserver-advertise-address', 'node-name'],
      skipReason: ofControlPlane,
      run: makeCertificates,
    },
    {
      name: 'kubeconfig',
      description: 'make the kubeconfigs of administrators and components',
      flags: [...controlPlane, ...discovery, 'certificate-key'],
      skipReason: ofControlPlane,
      run: makeKubeconfigs,
    },
    {
      name: 'control-plane',
      description: 'write the static pods of the control plane',
      flags: [...controlPlane, ...endpoint, 'patches'],
      skipReason: ofControlPlane,
      run: writeControlPlane,
    },
  ],
};

/** `join`: names, aliases and order are kubeadm's (v1.37). */
export const joinPhases: readonly JoinPhase[] = [
  {
    name: 'preflight',
    description: 'check what the machine has and what it needs',
    flags: [
      ...controlPlane,
      ...endpoint,
      ...discovery,
      'certificate-key',
      'cri-socket',
      'ignore-preflight-errors',
      'node-name',
    ],
    run: checkMachine,
  },
  prepare,
  {
    name: 'check-etcd',
    description: 'check that etcd is healthy',
    hidden: true,
    skipReason: ofControlPlane,
    run: checkEtcd,
  },
  {
    name: 'kubelet-start',
    description: 'write the settings of the kubelet and start it',
    flags: [...common, ...discovery, 'cri-socket', 'node-name', 'patches'],
    run: startKubelet,
  },
  {
    name: 'etcd-join',
    description: 'add a member to etcd',
    flags: [...controlPlane, 'apiserver-advertise-address', 'node-name', 'patches'],
    skipReason: ofControlPlane,
    run: joinStackedEtcd,
  },
  {
    name: 'kubelet-wait-bootstrap',
    description: 'wait until the kubelet has its certificate',
    flags: [...common, 'cri-socket'],
    run: waitForBootstrap,
  },
  {
    name: 'control-plane-join',
    description: 'make the node known as a control plane',
    allFlags: [...controlPlane, 'apiserver-advertise-address', 'node-name', 'patches'],
    phases: [
      {
        name: 'mark-control-plane',
        description: 'label and taint the node',
        flags: [...controlPlane, 'node-name'],
        skipReason: ofControlPlane,
        run: markControlPlane,
      },
    ],
  },
  {
    name: 'wait-control-plane',
    description: 'wait until the control plane of this node is healthy',
    flags: common,
    skipReason: ofControlPlane,
    run: async (data) => {
      const { join, trust } = data;
      if (join.controlPlane === undefined) return;
      await waitForControlPlane({
        ...data,
        timeouts: join.timeouts,
        endpoint: join.controlPlane.localAPIEndpoint,
        client: () => trust.adminClient(),
      });
    },
  },
];
