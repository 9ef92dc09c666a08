import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compareKubernetesVersions,
  formatKubernetesVersion,
  kubernetesMinor,
  parseKubernetesVersion,
} from './kubernetes-version.ts';

describe('a Kubernetes version', () => {
  for (const [given, want] of [
    ['v1.37.2', 'v1.37.2'],
    ['1.36.0', 'v1.36.0'],
    ['v1.38.0-rc.1', 'v1.38.0-rc.1'],
    ['v1.37.2+build', 'v1.37.2'],
    ['stable-1', undefined],
    ['v1.37', undefined],
    ['', undefined],
  ] as const) {
    test(`reads ${JSON.stringify(given)}`, () => {
      const version = parseKubernetesVersion(given);
      assert.equal(version === undefined ? undefined : formatKubernetesVersion(version), want);
    });
  }

  test('tells its minor', () => assert.equal(kubernetesMinor('v1.37.2'), 37));

  test('is ordered as SemVer orders', () => {
    const ordered = [
      'v1.36.9',
      'v1.37.0-alpha.1',
      'v1.37.0-alpha.2',
      'v1.37.0-alpha.10',
      'v1.37.0-alpha.beta',
      'v1.37.0-rc.0',
      'v1.37.0',
      'v1.37.10',
    ];
    const shuffled = [...ordered].reverse().map((text) => parseKubernetesVersion(text));
    const sorted = shuffled
      .flatMap((version) => (version === undefined ? [] : [version]))
      .sort(compareKubernetesVersions);
    assert.deepEqual(sorted.map(formatKubernetesVersion), ordered);
  });
});
