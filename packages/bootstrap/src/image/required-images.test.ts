import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { describedSettings } from '../testing/described-settings.ts';
import { componentImage } from './component-image.ts';
import { requiredImages } from './required-images.ts';

const { cluster } = describedSettings();
const local = 'local' in cluster.etcd ? cluster.etcd.local : undefined;

suite('requiredImages', () => {
  test('those of kubeadm v1.37.2, in its order', () => {
    assert.deepEqual(requiredImages(cluster), [
      'registry.k8s.io/kube-apiserver:v1.37.2',
      'registry.k8s.io/kube-controller-manager:v1.37.2',
      'registry.k8s.io/kube-scheduler:v1.37.2',
      'registry.k8s.io/kube-proxy:v1.37.2',
      'registry.k8s.io/coredns/coredns:v1.14.6',
      'registry.k8s.io/pause:3.10.2',
      'registry.k8s.io/etcd:3.7.0-0',
    ]);
  });

  test('nothing of what is disabled or elsewhere', () => {
    const external = { endpoints: [], caFile: '', certFile: '', keyFile: '' };
    const images = requiredImages({
      ...cluster,
      proxy: { disabled: true },
      dns: { disabled: true },
      etcd: { external },
    });
    const names = images.map((image) => image.replace(/^.*\/(.*):.*$/, '$1'));
    assert.deepEqual(names, [
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'pause',
    ]);
  });
});

suite('componentImage', () => {
  test('a mirror has CoreDNS beside the others', () => {
    const mirrored = { ...cluster, imageRepository: 'mirror.example.test:5000/k8s' };
    assert.equal(
      componentImage('coredns', mirrored),
      'mirror.example.test:5000/k8s/coredns:v1.14.6',
    );
  });

  test('etcd and DNS may come from elsewhere, with tags of their own', () => {
    assert.ok(local !== undefined);
    const own = {
      ...cluster,
      imageRepository: 'mirror.example.test',
      etcd: { local: { ...local, imageRepository: 'a.test', imageTag: '1' } },
      dns: { disabled: false, imageRepository: 'registry.k8s.io', imageTag: '2' },
    };
    assert.equal(componentImage('etcd', own), 'a.test/etcd:1');
    assert.equal(componentImage('coredns', own), 'registry.k8s.io/coredns/coredns:2');
    assert.equal(componentImage('pause', own), 'mirror.example.test/pause:3.10.2');
  });

  test('build metadata is no part of a tag', () => {
    const built = { ...cluster, kubernetesVersion: 'v1.37.2+abc.1' };
    assert.equal(componentImage('kube-proxy', built), 'registry.k8s.io/kube-proxy:v1.37.2_abc.1');
  });
});
