import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { patchTargets, readPatchFileName } from './patch-file-name.ts';

suite('readPatchFileName', () => {
  for (const target of patchTargets) {
    test(`${target} alone is a strategic patch`, () => {
      assert.deepEqual(readPatchFileName(`${target}.yaml`), { target, kind: 'strategic' });
    });
  }

  const patches = [
    { given: 'etcd.json', kind: 'strategic' },
    { given: 'etcd+strategic.yaml', kind: 'strategic' },
    { given: 'etcd+merge.yaml', kind: 'merge' },
    { given: 'etcd+json.yaml', kind: 'json' },
    { given: 'etcd+json.json', kind: 'json' },
    { given: 'etcd0+merge.yaml', kind: 'merge' },
    { given: 'etcd-a b_c+json.yaml', kind: 'json' },
    { given: 'etcd.x+merge.yaml', kind: 'strategic' },
    { given: 'etcd+mergeable.yaml', kind: 'merge' },
    { given: 'etcd+json+merge.yaml', kind: 'json' },
    { given: 'etcd0.a.b.yaml', kind: 'strategic' },
  ] as const;
  for (const { given, kind } of patches) {
    test(`${given} is a ${kind} patch`, () => {
      assert.deepEqual(readPatchFileName(given), { target: 'etcd', kind });
    });
  }

  test('the longest target is not a suffix of a shorter one', () => {
    const { target } = readPatchFileName('kube-apiserver0+merge.yaml') as { target: string };
    assert.equal(target, 'kube-apiserver');
  });

  for (const given of ['etcd+.yaml', 'etcd+mrege.yaml', 'etcd+Merge.yaml', 'etcd++json.yaml'])
    test(`${given} is refused: it is meant as a patch`, () => {
      assert.ok('refused' in readPatchFileName(given));
    });

  for (const given of [
    'etcd',
    'etcd.yml',
    'etcd.YAML',
    'etcd.yaml.bak',
    'etcd+merge.txt',
    '.yaml',
    'README.json',
    'my-etcd.yaml',
    'Etcd.yaml',
    '',
  ])
    test(`${JSON.stringify(given)} is passed over`, () => {
      assert.ok('ignored' in readPatchFileName(given));
    });
});
