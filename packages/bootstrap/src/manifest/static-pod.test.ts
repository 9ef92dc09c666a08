import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergeEnvironment, proxyEnvironment } from './static-pod.ts';

suite('environment of static pods', () => {
  test('proxies of the process, in any case and in no other place', () => {
    const variables = {
      HTTP_PROXY: 'http://p:1',
      no_proxy: 'a',
      All_Proxy: 'b',
      FTP_PROXY: '',
      PROXY: 'x',
      HTTP_PROXY_X: 'y',
      HTTPS_PROXY: undefined,
    };
    const names = proxyEnvironment(variables).map(({ name }) => name);
    assert.deepEqual(names.sort(), ['All_Proxy', 'HTTP_PROXY', 'no_proxy']);
  });

  test('what is given wins over the process, and the last over the first; by name', () => {
    const merged = mergeEnvironment(
      [
        { name: 'no_proxy', value: 'process' },
        { name: 'B', value: '1' },
      ],
      [
        { name: 'no_proxy', value: 'first' },
        { name: 'no_proxy', value: 'last' },
        { name: 'A', value: '2' },
      ],
    );
    assert.deepEqual(merged, [
      { name: 'A', value: '2' },
      { name: 'B', value: '1' },
      { name: 'no_proxy', value: 'last' },
    ]);
  });
});
