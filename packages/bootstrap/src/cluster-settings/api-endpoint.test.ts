import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KubeObject } from '@slipway/api';
import { systemClock } from '@slipway/base';
import { createKubeClient } from '@slipway/kube';
import { formatBootstrapToken, generateBootstrapToken } from '@slipway/pki';
import { startJoinableCluster } from '../testing/joinable-cluster.ts';
import { apiEndpointAnnotation, fetchApiEndpoint, parseApiEndpoint } from './api-endpoint.ts';

const parsed = [
  { given: '10.0.0.1:6443', want: { advertiseAddress: '10.0.0.1', bindPort: 6443 } },
  { given: '[fd00::1]:443', want: { advertiseAddress: 'fd00::1', bindPort: 443 } },
  { given: '10.0.0.1', want: undefined },
  { given: 'fd00::1:6443', want: undefined },
  { given: '10.0.0.1:0', want: undefined },
  { given: '10.0.0.1:70000', want: undefined },
  { given: '', want: undefined },
];
for (const { given, want } of parsed) {
  test(`endpoint ${given}`, () => assert.deepEqual(parseApiEndpoint(given), want));
}

suite('API endpoint of a node', () => {
  const token = generateBootstrapToken();
  const pod = (annotations?: Readonly<Record<string, string>>): object => ({
    metadata: { name: 'kube-apiserver-cp1', ...(annotations && { annotations }) },
  });
  const whole = pod({ [apiEndpointAnnotation]: '10.0.0.1:6443' });
  const cases = [
    { name: 'one pod', items: [whole], want: undefined },
    { name: 'no pod', items: [], want: /it has no pod/ },
    { name: 'two pods', items: [whole, whole], want: /it has 2 pods/ },
    { name: 'no annotation', items: [pod()], want: /has no annotation/ },
    { name: 'no address', items: [pod({ [apiEndpointAnnotation]: 'x' })], want: /"x" is not/ },
  ];
  for (const { name, items, want } of cases) {
    test(name, async () => {
      await using cluster = await startJoinableCluster(token);
      const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items };
      cluster.objects.set('/api/v1/namespaces/kube-system/pods', list as KubeObject);
      const client = createKubeClient({
        server: cluster.endpoint,
        certificateAuthority: { pem: cluster.authorityPem },
        token: { secret: formatBootstrapToken(token) },
      });
      const found = fetchApiEndpoint(client, 'cp1', { clock: systemClock, timeoutMs: 60 });
      if (want === undefined) {
        assert.deepEqual(await found, { advertiseAddress: '10.0.0.1', bindPort: 6443 });
        const [asked = ''] = cluster.asked;
        assert.match(decodeURIComponent(asked), /spec\.nodeName=cp1/);
      } else {
        const code = 'bootstrap.cluster-settings.endpoint';
        await assert.rejects(found, { code, message: want });
      }
      client.close();
    });
  }
});
