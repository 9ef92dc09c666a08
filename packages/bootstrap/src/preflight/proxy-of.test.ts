import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proxyOf } from './proxy-of.ts';

const HTTPS_PROXY = 'http://proxy:3128';

/** Rules: golang.org/x/net/http/httpproxy; each row was asked of Go itself. */
const cases: readonly {
  readonly name: string;
  readonly host: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly isProxied: boolean;
}[] = [
  { name: 'no proxy', host: '10.0.0.1', variables: {}, isProxied: false },
  { name: 'only one for http', host: 'x', variables: { HTTP_PROXY: 'http://p' }, isProxied: false },
  { name: 'an empty one', host: 'x', variables: { HTTPS_PROXY: '' }, isProxied: false },
  { name: 'in lower case', host: 'x', variables: { https_proxy: 'http://p' }, isProxied: true },
  { name: 'this machine', host: '127.0.0.2', variables: { HTTPS_PROXY }, isProxied: false },
  { name: 'this machine by name', host: 'localhost', variables: { HTTPS_PROXY }, isProxied: false },
  ...[
    { host: '10.0.0.1', exceptions: '*', isProxied: false },
    { host: '10.0.0.1', exceptions: ' 10.0.0.0/8 ', isProxied: false },
    { host: '10.0.0.1', exceptions: '10.*', isProxied: true },
    { host: '10.0.0.1', exceptions: '10.0.0.1', isProxied: false },
    { host: '10.0.0.1', exceptions: '10.0.0.1:6443', isProxied: false },
    { host: '10.0.0.1', exceptions: '10.0.0.1:8080', isProxied: true },
    { host: 'fd00::1', exceptions: 'FD00:0:0::1', isProxied: false },
    { host: 'fd00::1', exceptions: '[fd00::1]:6443', isProxied: false },
    { host: 'fd00::1', exceptions: '[fd00::1]:80', isProxied: true },
    { host: 'fd00::1', exceptions: 'fd00::/16', isProxied: false },
    { host: 'api.example.com', exceptions: 'example.com', isProxied: false },
    { host: 'example.com', exceptions: 'example.com', isProxied: false },
    { host: 'notexample.com', exceptions: 'example.com', isProxied: true },
    { host: 'api.example.com', exceptions: '.example.com', isProxied: false },
    { host: 'example.com', exceptions: '.example.com', isProxied: true },
    { host: 'API.Example.com', exceptions: '*.EXAMPLE.com', isProxied: false },
    { host: 'api.example.com', exceptions: 'example.com:6443', isProxied: false },
    { host: 'api.example.com', exceptions: 'example.com:443', isProxied: true },
    { host: 'api.example.com', exceptions: ',,:80,other.example', isProxied: true },
  ].map(({ host, exceptions, isProxied }) => ({
    name: `${host} with ${exceptions}`,
    ...{ host, isProxied, variables: { HTTPS_PROXY, NO_PROXY: exceptions } },
  })),
];

describe('the proxy of a host', () => {
  for (const { name, host, variables, isProxied } of cases) {
    test(name, () =>
      assert.equal(proxyOf({ host, port: 6443 }, variables) !== undefined, isProxied),
    );
  }

  test('NO_PROXY goes before no_proxy, and an empty one does not count', () => {
    const variables = { HTTPS_PROXY, NO_PROXY: 'a', no_proxy: 'b' };
    assert.equal(proxyOf({ host: 'a' }, variables), undefined);
    assert.equal(proxyOf({ host: 'b' }, variables), HTTPS_PROXY);
    assert.equal(proxyOf({ host: 'b' }, { ...variables, NO_PROXY: '' }), undefined);
  });

  test('an exception for one port is none for a range', () => {
    const variables = { HTTPS_PROXY, NO_PROXY: '10.96.0.1:443' };
    assert.equal(proxyOf({ host: '10.96.0.1' }, variables), HTTPS_PROXY);
  });

  test('its password stays secret', () => {
    const variables = { HTTPS_PROXY: 'http://joe:s@cret@proxy:3128' };
    assert.equal(proxyOf({ host: 'x' }, variables), 'http://***@proxy:3128');
  });
});
