import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConfigMap } from '@slipway/api';
import { parseBootstrapToken } from '@slipway/pki';
import { parse } from 'yaml';
import { readClusterEntry } from '../discovery/cluster-kubeconfig.ts';
import {
  type AnyObject,
  recordedObject,
  recordedObjects,
  recordedText,
  recordedVersions,
} from '../testing/recorded-objects.ts';
import { bootstrapAccessObjects } from './bootstrap-access.ts';
import { clusterAdminsBinding } from './cluster-admins.ts';
import { clusterInfoObjects } from './cluster-info.ts';
import { type ClusterObject, describeObject } from './cluster-object.ts';
import { isGenerated } from './component-config-hash.ts';
import { kubeadmConfigObjects } from './kubeadm-config.ts';
import { kubeletConfigObjects } from './kubelet-config.ts';
import { ownerTokenObject, uploadedCertificatesObjects } from './uploaded-certificates.ts';

const kubeadmConfig = 'ConfigMap kube-system/kubeadm-config';
const kubeletConfig = 'ConfigMap kube-system/kubelet-config';
const clusterInfo = 'ConfigMap kube-public/cluster-info';

/** As a server stores them: absent is absent, and the group of a subject is filled in. */
function withoutServerMarks(object: unknown): unknown {
  return JSON.parse(
    JSON.stringify(object, (key, value) =>
      key === 'apiGroup' && value === 'rbac.authorization.k8s.io' ? undefined : value,
    ),
  );
}

function check(made: readonly ClusterObject[], recorded: ReadonlyMap<string, AnyObject>): void {
  for (const each of made) {
    assert.deepEqual(
      withoutServerMarks(each.object),
      withoutServerMarks(recordedObject(recorded, describeObject(each))),
      describeObject(each),
    );
  }
}

for (const version of recordedVersions) {
  const minor = Number(version.split('.')[1]);

  suite(`objects of kubeadm ${version}`, () => {
    for (const caseName of ['c01-ipv4-default', 'c03-dualstack', 'c09-subnets']) {
      const recorded = recordedObjects(version, caseName);

      test(`${caseName}: kubeadm-config and its readers`, () => {
        const text = recordedText(recorded, kubeadmConfig, 'ClusterConfiguration');
        check(kubeadmConfigObjects(text), recorded);
      });

      test(`${caseName}: kubelet-config, byte for byte, and its readers`, () => {
        const given = parse(recordedText(recorded, kubeletConfig, 'kubelet'));
        check(
          kubeletConfigObjects(given, isGenerated(recordedObject(recorded, kubeletConfig))),
          recorded,
        );
      });

      test(`${caseName}: cluster-info and its readers`, () => {
        const text = recordedText(recorded, clusterInfo, 'kubeconfig');
        const [configMap, ...access] = clusterInfoObjects(
          readClusterEntry(text, 'bootstrap.discovery.malformed'),
        );
        check(access, recorded);
        const { data = {} }: ConfigMap = configMap?.object ?? {};
        assert.deepEqual(parse(String(data['kubeconfig'])).clusters, parse(text).clusters);
      });
    }

    test('a configuration that a user gave is not marked as generated', () => {
      const given = recordedObject(recordedObjects(version, 'c09-subnets'), kubeletConfig);
      assert.equal(isGenerated(given), false);
    });

    test('rights of bootstrap tokens', () => {
      check(bootstrapAccessObjects(minor), recordedObjects(version));
    });

    test('uploaded certificates belong to a token that can do nothing', () => {
      const live = recordedObjects(version, 'live');
      const [key, owner] =
        [...live].find(([name]) => name.startsWith('Secret kube-system/bootstrap')) ?? [];
      const data = owner?.['data'] as Record<string, string>;
      const field = (name: string) => Buffer.from(data[name] ?? '', 'base64').toString();
      const token = parseBootstrapToken(`${field('token-id')}.${field('token-secret')}`);
      const expiresAt = Date.parse(field('expiration'));
      const { metadata: { uid = '', ...metadata } = {}, ...secret } = owner ?? {};
      const made = ownerTokenObject(token, expiresAt - 2 * 60 * 60 * 1000);
      assert.equal(describeObject(made), key);
      assert.deepEqual(made.object, { ...secret, metadata });
      const uploaded = recordedObject(live, 'Secret kube-system/kubeadm-certs');
      const content = uploaded['data'] as Record<string, string>;
      const [certs, ...access] = uploadedCertificatesObjects(content, {
        name: metadata.name ?? '',
        uid,
      });
      assert.deepEqual({ ...certs?.object, type: 'Opaque' }, uploaded);
      check(access, live);
    });

    test('the group of admin.conf', () => {
      check([clusterAdminsBinding()], recordedObjects(version, 'live'));
    });
  });
}

suite('what a minor lacks', () => {
  const cases = [
    { name: '1.34', given: 34, want: false },
    { name: '1.35', given: 35, want: false },
    { name: '1.36', given: 36, want: true },
  ];
  for (const { name, given, want } of cases) {
    test(`${name}: the API server is ${want ? '' : 'not '}bound to the kubelet API by a name of its own`, () => {
      const made = bootstrapAccessObjects(given).map(describeObject);
      assert.equal(made.includes('ClusterRoleBinding kubeadm:apiserver-kubelet-client'), want);
    });
  }
});
