import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bareGround } from '../testing/bare-ground.ts';
import { configurationText, settledInit } from '../testing/settled-init.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';

const ground = bareGround();
const kubelet = '---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

async function configured(text = '', cluster = '') {
  const own = text === '' ? '' : `${kubelet}${text}`;
  return kubeletConfiguration(await settledInit(`${configurationText(cluster)}${own}`, ground));
}

suite('kubeletConfiguration', () => {
  test('what kubeadm sets when nothing is given', async () => {
    const made = await configured();
    assert.deepEqual(made['authentication'], {
      anonymous: { enabled: false },
      webhook: { cacheTTL: '0s', enabled: true },
      x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
    });
    const { authorization, cgroupDriver, clusterDNS, clusterDomain, rotateCertificates } = made;
    assert.deepEqual(
      { authorization, cgroupDriver, clusterDNS, clusterDomain, rotateCertificates },
      {
        authorization: {
          mode: 'Webhook',
          webhook: { cacheAuthorizedTTL: '0s', cacheUnauthorizedTTL: '0s' },
        },
        cgroupDriver: 'systemd',
        clusterDNS: ['10.96.0.10'],
        clusterDomain: 'cluster.local',
        rotateCertificates: true,
      },
    );
  });

  const subnets = [
    { given: '10.11.0.0/16', want: '10.11.0.10' },
    { given: 'fd00:10:96::/112', want: 'fd00:10:96::a' },
    { given: '10.96.0.0/16,fd00:10:96::/112', want: '10.96.0.10' },
    { given: 'fd00:10:96::/112,10.96.0.0/16', want: 'fd00:10:96::a' },
  ];
  for (const { given, want } of subnets) {
    test(`the DNS service of ${given} is at ${want}`, async () => {
      const made = await configured('', `networking: {serviceSubnet: "${given}"}\n`);
      assert.deepEqual(made['clusterDNS'], [want]);
    });
  }

  const values = [
    { name: 'a value that is given', given: 'maxPods: 33\n', key: 'maxPods', want: 33 },
    { name: 'zero', given: 'healthzPort: 0\n', key: 'healthzPort', want: 0 },
    { name: 'false', given: 'failSwapOn: false\n', key: 'failSwapOn', want: false },
    {
      name: 'another driver',
      given: 'cgroupDriver: cgroupfs\n',
      key: 'cgroupDriver',
      want: 'cgroupfs',
    },
    {
      name: 'a duration, in its canonical form',
      given: 'syncFrequency: 90s\n',
      key: 'syncFrequency',
      want: '1m30s',
    },
    {
      name: 'an empty text is not given',
      given: 'clusterDomain: ""\n',
      key: 'clusterDomain',
      want: 'cluster.local',
    },
    {
      name: 'certificates are rotated whatever is given, as by kubeadm',
      given: 'rotateCertificates: false\n',
      key: 'rotateCertificates',
      want: true,
    },
    {
      name: 'an object is completed, not replaced',
      given: 'authorization: {mode: AlwaysAllow}\n',
      key: 'authorization',
      want: {
        mode: 'AlwaysAllow',
        webhook: { cacheAuthorizedTTL: '0s', cacheUnauthorizedTTL: '0s' },
      },
    },
  ];
  for (const { name, given, key, want } of values) {
    test(name, async () => assert.deepEqual((await configured(given))[key], want));
  }
});
