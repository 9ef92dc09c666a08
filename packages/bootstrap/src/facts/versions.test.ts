import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { releaseFacts, supportedMinors } from './versions.ts';

suite('releaseFacts', () => {
  // As `kubeadm config images list` of each release prints them.
  const cases = [
    { minor: 34, etcd: '3.6.5-0', coredns: 'v1.12.1', pause: '3.10.1' },
    { minor: 35, etcd: '3.6.6-0', coredns: 'v1.13.1', pause: '3.10.1' },
    { minor: 36, etcd: '3.6.8-0', coredns: 'v1.14.2', pause: '3.10.2' },
    { minor: 37, etcd: '3.7.0-0', coredns: 'v1.14.6', pause: '3.10.2' },
  ];
  for (const { minor, ...want } of cases) {
    test(`1.${minor}`, () => {
      const { hasPodInfraContainerImage, ...tags } = releaseFacts(minor);
      assert.deepEqual(tags, want);
      assert.equal(hasPodInfraContainerImage, minor === 34);
    });
  }

  test('a minor that is not known has the facts of the nearest', () => {
    assert.equal(releaseFacts(99), releaseFacts(37));
    assert.equal(releaseFacts(3), releaseFacts(34));
    assert.deepEqual(supportedMinors, [34, 35, 36, 37]);
  });
});
