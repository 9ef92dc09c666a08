import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NodeRegistration } from '../config/configuration.ts';
import { describedSettings } from '../testing/described-settings.ts';
import { kubeletFlagsText } from './kubelet-flags.ts';

const { cluster } = describedSettings();

function text(
  node: Partial<NodeRegistration> = {},
  order: {
    readonly version?: string;
    readonly registerTaints?: boolean;
    readonly featureGates?: Readonly<Record<string, boolean>>;
  } = {},
): string {
  const { version = 'v1.37.2', registerTaints = false, featureGates = {} } = order;
  return kubeletFlagsText({
    cluster: { ...cluster, kubernetesVersion: version, featureGates },
    node: {
      name: 'cp1',
      criSocket: 'unix:///run/containerd/containerd.sock',
      taints: [],
      kubeletExtraArgs: [],
      ignorePreflightErrors: [],
      imagePullPolicy: 'IfNotPresent',
      imagePullSerial: true,
      ...node,
    },
    hostname: 'cp1',
    registerTaints,
  });
}

const taints = [
  { key: 'a.test/b', effect: 'NoSchedule' },
  { key: 'c', value: 'd', effect: 'NoExecute' },
] as const;

suite('kubeletFlagsText', () => {
  const cases = [
    { name: 'nothing to say', given: text(), want: '' },
    {
      name: 'another name than that of the machine',
      given: text({ name: 'other' }),
      want: '--hostname-override=other',
    },
    {
      name: 'taints of a worker',
      given: text({ taints }, { registerTaints: true }),
      want: '--register-with-taints=a.test/b:NoSchedule,c=d:NoExecute',
    },
    { name: 'not those of a control plane', given: text({ taints }), want: '' },
    {
      name: 'flags that are given come last',
      given: text({ name: 'other', kubeletExtraArgs: [{ name: 'node-ip', value: '10.0.0.1' }] }),
      want: '--hostname-override=other --node-ip=10.0.0.1',
    },
    {
      name: 'a name that is given as a flag',
      given: text({ kubeletExtraArgs: [{ name: 'hostname-override', value: 'own' }] }),
      want: '--hostname-override=own',
    },
    {
      name: 'the pause image of 1.34',
      given: text({}, { version: 'v1.34.4' }),
      want: '--pod-infra-container-image=registry.k8s.io/pause:3.10.1',
    },
    { name: 'no longer in 1.35', given: text({}, { version: 'v1.35.4' }), want: '' },
    {
      name: 'the socket where nodes do not keep it',
      given: text({}, { version: 'v1.36.3', featureGates: { NodeLocalCRISocket: false } }),
      want: '--container-runtime-endpoint=unix:///run/containerd/containerd.sock',
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => assert.equal(given, `KUBELET_KUBEADM_ARGS="${want}"\n`));
  }
});
