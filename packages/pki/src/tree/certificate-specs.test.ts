import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ControlPlaneIdentity, certificateSpecs } from './certificate-specs.ts';

const identity: ControlPlaneIdentity = {
  nodeName: 'cp1',
  dnsDomain: 'cluster.local',
  serviceAddress: '10.96.0.1',
  advertiseAddress: '10.20.0.11',
  certSANs: [],
  etcdServerSANs: [],
  etcdPeerSANs: [],
  minor: 37,
  hasLocalEtcd: true,
};

function spec(name: string, change: Partial<ControlPlaneIdentity> = {}) {
  const found = certificateSpecs({ ...identity, ...change }).find((each) => each.name === name);
  assert.ok(found, name);
  return found;
}

const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const domain = 'kubernetes.default.svc.cluster.local';

// Answers of kubeadm 1.37.2 for the same settings.
suite('alternative names', () => {
  const table = [
    {
      name: 'the API server',
      given: spec('apiserver'),
      want: { dnsNames: ['cp1', ...service, domain], ipAddresses: ['10.96.0.1', '10.20.0.11'] },
    },
    {
      name: 'the API server behind a name',
      given: spec('apiserver', { controlPlaneHost: 'api.slipway.test' }),
      want: {
        dnsNames: ['api.slipway.test', 'cp1', ...service, domain],
        ipAddresses: ['10.96.0.1', '10.20.0.11'],
      },
    },
    {
      name: 'the API server with names and addresses of its own',
      given: spec('apiserver', {
        controlPlaneHost: '10.20.0.100',
        certSANs: ['api.example.test', '*.wild.example.test', '192.0.2.10', 'fd00:0::1', 'cp1'],
      }),
      want: {
        dnsNames: ['*.wild.example.test', 'api.example.test', 'cp1', ...service, domain],
        ipAddresses: ['10.96.0.1', '10.20.0.11', '10.20.0.100', '192.0.2.10', 'fd00::1'],
      },
    },
    {
      name: 'etcd',
      given: spec('etcd-server', { etcdServerSANs: ['etcd.example.test', '192.0.2.20'] }),
      want: {
        dnsNames: ['cp1', 'etcd.example.test', 'localhost'],
        ipAddresses: ['10.20.0.11', '127.0.0.1', '::1', '192.0.2.20'],
      },
    },
    {
      name: 'peers of etcd',
      given: spec('etcd-peer', { etcdPeerSANs: ['fd00::2'] }),
      want: {
        dnsNames: ['cp1', 'localhost'],
        ipAddresses: ['10.20.0.11', '127.0.0.1', '::1', 'fd00::2'],
      },
    },
    {
      name: 'a client has none',
      given: spec('front-proxy-client'),
      want: { dnsNames: [], ipAddresses: [] },
    },
    {
      name: 'an authority has its own name',
      given: spec('etcd-ca'),
      want: { dnsNames: ['etcd-ca'], ipAddresses: [] },
    },
  ];
  for (const { name, given, want } of table) {
    test(name, () => {
      assert.deepEqual({ dnsNames: given.dnsNames, ipAddresses: given.ipAddresses }, want);
    });
  }
});

test('the API server comes to kubelets as an administrator until 1.35', () => {
  for (const [minor, want] of [
    [34, ['kubeadm:cluster-admins']],
    [35, ['kubeadm:cluster-admins']],
    [36, undefined],
    [37, undefined],
  ] as const) {
    assert.deepEqual(spec('apiserver-kubelet-client', { minor }).subject.organizations, want);
  }
});

test('an external etcd takes its certificates away', () => {
  const names = certificateSpecs({ ...identity, hasLocalEtcd: false }).map(({ name }) => name);
  assert.deepEqual(names, [
    'ca',
    'apiserver',
    'apiserver-kubelet-client',
    'front-proxy-ca',
    'front-proxy-client',
  ]);
});
