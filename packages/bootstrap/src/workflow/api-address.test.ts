import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ClusterConfiguration } from '../config/configuration.ts';
import { clusterApiAddress } from './api-address.ts';

suite('clusterApiAddress', () => {
  const local = { advertiseAddress: 'fd00::7', bindPort: 7443 };
  const cases = [
    { name: 'none: this node', given: '', want: 'https://[fd00::7]:7443' },
    { name: 'name and port', given: 'api.example:443', want: 'https://api.example:443' },
    { name: 'without port: the own one', given: 'api.example', want: 'https://api.example:7443' },
    { name: 'IPv6 with port', given: '[fd00::1]:443', want: 'https://[fd00::1]:443' },
    { name: 'IPv6 without port', given: 'fd00::1', want: 'https://[fd00::1]:7443' },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const cluster = { controlPlaneEndpoint: given } as ClusterConfiguration;
      assert.equal(clusterApiAddress(cluster, local), want);
    });
  }
});
