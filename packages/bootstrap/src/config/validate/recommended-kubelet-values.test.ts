import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '@slipway/base';
import { describedSettings } from '../../testing/described-settings.ts';
import { recommendedKubeletFindings } from './recommended-kubelet-values.ts';

const { cluster } = describedSettings({ certificatesDir: '/srv/pki' });

suite('recommendedKubeletFindings', () => {
  const silent: readonly { readonly name: string; readonly given: JsonObject }[] = [
    { name: 'nothing given', given: {} },
    { name: 'other values', given: { maxPods: 33 } },
    { name: 'empty is not given', given: { staticPodPath: '', authorization: { mode: null } } },
    {
      name: 'what is recommended',
      given: {
        staticPodPath: '/etc/kubernetes/manifests',
        authentication: {
          x509: { clientCAFile: '/srv/pki/ca.crt' },
          anonymous: { enabled: false },
          webhook: { enabled: true },
        },
        authorization: { mode: 'Webhook' },
        healthzBindAddress: '127.0.0.1',
        healthzPort: 10248,
        readOnlyPort: 0,
        rotateCertificates: true,
      },
    },
    { name: 'another type, which the schema refuses', given: { authentication: ['a'] } },
  ];
  for (const { name, given } of silent) {
    test(name, () => assert.deepEqual(recommendedKubeletFindings(given, cluster), []));
  }

  const warned: readonly { readonly given: JsonObject; readonly want: string }[] = [
    { given: { staticPodPath: '/srv/pods' }, want: 'staticPodPath' },
    {
      given: { authentication: { x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } } },
      want: 'authentication.x509.clientCAFile',
    },
    {
      given: { authentication: { anonymous: { enabled: true } } },
      want: 'authentication.anonymous.enabled',
    },
    {
      given: { authentication: { webhook: { enabled: false } } },
      want: 'authentication.webhook.enabled',
    },
    { given: { authorization: { mode: 'AlwaysAllow' } }, want: 'authorization.mode' },
    { given: { healthzBindAddress: '0.0.0.0' }, want: 'healthzBindAddress' },
    { given: { healthzPort: 0 }, want: 'healthzPort' },
    { given: { readOnlyPort: 10255 }, want: 'readOnlyPort' },
    { given: { rotateCertificates: false }, want: 'rotateCertificates' },
  ];
  for (const { given, want } of warned) {
    test(`${want} is warned about at its place`, () => {
      const findings = recommendedKubeletFindings(given, cluster);
      assert.deepEqual(
        findings.map(({ severity, path }) => `${severity} ${path.join('.')}`),
        [`warning ${want}`],
      );
    });
  }
});
