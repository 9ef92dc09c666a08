import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isJsonObject, type JsonObject } from '@slipway/base';
import { parse } from 'yaml';
import { describeObject } from '../object/cluster-object.ts';
import { applyPatches } from '../patches/apply-patches.ts';
import type { Patch } from '../patches/load-patches.ts';
import {
  type RecordedVersion,
  recordedObject,
  recordedObjects,
  recordedText,
  recordedVersions,
} from '../testing/recorded-objects.ts';
import { corednsObjects } from './coredns.ts';
import { corefile, isDefaultCorefile } from './corefile.ts';
import { kubeProxyObjects } from './kube-proxy.ts';
import { kubeProxyConfiguration } from './kube-proxy-configuration.ts';

const corednsImages: Record<RecordedVersion, string> = {
  'v1.36.3': 'registry.k8s.io/coredns/coredns:v1.14.2',
  'v1.37.2': 'registry.k8s.io/coredns/coredns:v1.14.6',
};

type AddonCase = {
  readonly caseName: string;
  readonly dnsDomain?: string;
  readonly address?: string;
  readonly podSubnet?: string;
  readonly server?: string;
  readonly proxy?: JsonObject;
};

const cases: readonly AddonCase[] = [
  { caseName: 'c01-ipv4-default' },
  {
    caseName: 'c03-dualstack',
    podSubnet: '10.244.0.0/16,fd00:10:244::/56',
    server: 'https://api.slipway.test:8443',
  },
  {
    caseName: 'c09-subnets',
    dnsDomain: 'corp.test',
    address: '172.21.0.10',
    podSubnet: '172.20.0.0/18',
    proxy: { kind: 'KubeProxyConfiguration', mode: 'nftables' },
  },
];

for (const version of recordedVersions) {
  suite(`addons of kubeadm ${version}`, () => {
    for (const given of cases) {
      const recorded = recordedObjects(version, given.caseName);

      test(`${given.caseName}: CoreDNS`, () => {
        const { dnsDomain = 'cluster.local', address = '10.96.0.10' } = given;
        const made = corednsObjects({ image: corednsImages[version], dnsDomain, address });
        assert.equal(made.length, 6);
        for (const each of made)
          assert.deepEqual(each.object, recordedObject(recorded, describeObject(each)));
      });

      test(`${given.caseName}: kube-proxy, its ConfigMap byte for byte`, () => {
        const { podSubnet = '', server = 'https://10.20.0.11:6443', proxy } = given;
        const minor = Number(version.split('.')[1]);
        const surroundings = { minor, advertiseAddress: '10.20.0.11', podSubnet };
        const made = kubeProxyObjects({
          image: `registry.k8s.io/kube-proxy:${version}`,
          server,
          configuration: kubeProxyConfiguration(proxy, surroundings),
          isGenerated: proxy === undefined,
        });
        assert.equal(made.length, 6);
        for (const each of made)
          assert.deepEqual(each.object, recordedObject(recorded, describeObject(each)));
      });
    }
  });
}

suite('kubeProxyConfiguration', () => {
  const cluster = { minor: 37, advertiseAddress: '10.0.0.1', podSubnet: '10.244.0.0/16' };
  const text = recordedText(
    recordedObjects('v1.37.2'),
    'ConfigMap kube-system/kube-proxy',
    'config.conf',
  );

  test('what is stored is read back as the same', () => {
    const stored = parse(text);
    const read = kubeProxyConfiguration(stored, { ...cluster, podSubnet: '' });
    assert.deepEqual(read, stored);
  });

  const rows = [
    { name: 'an IPv6 cluster binds to the IPv6 wildcard', member: 'bindAddress', want: '::' },
    { name: 'mode is unset before 1.37', member: 'mode', want: '' },
  ];
  for (const { name, member, want } of rows)
    test(name, () => {
      const made = kubeProxyConfiguration(undefined, {
        minor: 36,
        advertiseAddress: 'fd00::1',
        podSubnet: '',
      });
      assert.equal(made[member], want);
    });

  test('what the user gave stays, beside what he did not', () => {
    const made = kubeProxyConfiguration(
      {
        clusterCIDR: '10.9.0.0/16',
        bindAddress: '10.0.0.9',
        ipvs: { scheduler: 'wrr' },
        featureGates: { A: true },
      },
      cluster,
    );
    assert.equal(made['clusterCIDR'], '10.9.0.0/16');
    assert.equal(made['bindAddress'], '10.0.0.9');
    assert.deepEqual(made['featureGates'], { A: true });
    const ipvs = isJsonObject(made['ipvs']) ? made['ipvs'] : {};
    assert.equal(ipvs['scheduler'], 'wrr');
    assert.equal(ipvs['syncPeriod'], '0s');
  });
});

suite('patches and surroundings', () => {
  test('the Deployment of kubeadm with a patch of replicas', () => {
    const options = {
      image: corednsImages['v1.37.2'],
      dnsDomain: 'cluster.local',
      address: '10.96.0.10',
    };
    const given: Patch = {
      target: 'corednsdeployment',
      kind: 'strategic',
      file: '/patches/corednsdeployment+strategic.yaml',
      position: { line: 1, column: 1 },
      content: { spec: { replicas: 1 } },
    };
    const made = corednsObjects(options, (target, object) => applyPatches(target, object, [given]));
    const recorded = recordedObjects('v1.37.2', 'c11-patches');
    for (const each of made)
      assert.deepEqual(each.object, recordedObject(recorded, describeObject(each)));
  });

  const patch = (target: string, object: JsonObject): JsonObject => ({
    ...object,
    patched: target,
  });

  test('a patch of the CoreDNS Deployment reaches it and nothing else', () => {
    const options = { image: 'i', dnsDomain: 'd', address: '10.0.0.10', replicas: 5 };
    const patched = corednsObjects(options, patch).filter(({ object }) => 'patched' in object);
    assert.deepEqual(patched.map(describeObject), ['Deployment kube-system/coredns']);
    assert.match(JSON.stringify(patched[0]?.object), /"replicas":5/);
  });

  test('a patch of the kube-proxy DaemonSet reaches it; proxies of the machine are its environment', () => {
    const environment = [
      { name: 'HTTP_PROXY', value: 'http://proxy.test' },
      { name: 'HTTPS_PROXY', value: 'http://proxy.test' },
    ];
    const options = { image: 'i', server: 's', configuration: {}, isGenerated: false, environment };
    const [patched, ...others] = kubeProxyObjects(options, patch).filter(
      ({ object }) => 'patched' in object,
    );
    assert.deepEqual(others, []);
    assert.match(JSON.stringify(patched?.object), /"NODE_NAME".*"HTTPS_PROXY".*"HTTP_PROXY"/);
  });
});

suite('isDefaultCorefile', () => {
  const fresh = corefile('corp.test');
  const older = fresh.replace(/cache 30 \{[^}]*\}/, 'cache 30');
  const cases = [
    { name: 'of this release', given: fresh, want: true },
    { name: 'of an older release', given: older, want: true },
    { name: 'without the last newline', given: fresh.trimEnd(), want: true },
    {
      name: 'with a plugin more',
      given: fresh.replace('    loop\n', '    loop\n    log\n'),
      want: false,
    },
    {
      name: 'with another upstream',
      given: fresh.replace('/etc/resolv.conf', '10.0.0.1'),
      want: false,
    },
    {
      name: 'for two domains',
      given: fresh.replace('corp.test in-addr', 'a.test b.test in-addr'),
      want: false,
    },
    { name: 'empty', given: '', want: false },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(isDefaultCorefile(given), want));
});
