import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  hasEcdsaKeys,
  hasLocalKubelets,
  hasNodeLocalSockets,
  hasSocketAnnotations,
} from './feature-gates.ts';

// Which minors still heed a gate that is off; as recorded in test/golden/kubeadm (feature-gate-*).
suite('gates that are off', () => {
  const off = { ControlPlaneKubeletLocalMode: false, NodeLocalCRISocket: false };
  const cases = [
    { minor: 34, local: false, sockets: false, annotations: true },
    { minor: 35, local: true, sockets: false, annotations: true },
    { minor: 36, local: true, sockets: false, annotations: false },
    { minor: 37, local: true, sockets: true, annotations: false },
  ];
  for (const { minor, local, sockets, annotations } of cases) {
    test(`1.${minor}`, () => {
      const cluster = { kubernetesVersion: `v1.${minor}.0`, featureGates: off };
      assert.equal(hasLocalKubelets(cluster), local);
      assert.equal(hasNodeLocalSockets(cluster), sockets);
      assert.equal(hasSocketAnnotations(cluster), annotations);
    });
  }

  for (const [minor, want] of [
    [34, true],
    [36, true],
    [37, false],
  ] as const) {
    test(`the gate of ECDSA keys in 1.${minor}`, () => {
      const kubernetesVersion = `v1.${minor}.0`;
      const keys = (featureGates: Record<string, boolean>) =>
        hasEcdsaKeys({ kubernetesVersion, featureGates });
      assert.equal(keys({ PublicKeysECDSA: true }), want);
      assert.equal(keys({ PublicKeysECDSA: false }), false);
      assert.equal(keys({}), false);
    });
  }

  test('a gate that is not named is on', () => {
    const cluster = { kubernetesVersion: 'v1.34.0', featureGates: {} };
    assert.equal(hasLocalKubelets(cluster), true);
    assert.equal(hasNodeLocalSockets(cluster), true);
    assert.equal(hasSocketAnnotations(cluster), false);
  });
});
