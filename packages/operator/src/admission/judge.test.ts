import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { defaultObjects, type KubeObject, roleLabel } from '@slipway/api';
import { policyInForce } from '@slipway/machineconfig';
import { judge } from './judge.ts';
import { decodeReview, encodeReview } from './review.ts';

const context = { policy: policyInForce(undefined), pools: [], machineConfigs: [] };

function found(resource: string, object: KubeObject, user = 'admin'): readonly string[] {
  const request = { uid: 'u', resource, subresource: '', user, object };
  return judge(request, context).map(({ severity, path }) => `${severity} ${path}`);
}

function machineConfig(files: readonly object[]): KubeObject {
  const spec = { config: { ignition: { version: '3.4.0' }, storage: { files } } };
  const labels = { [roleLabel]: 'worker' };
  return { metadata: { name: 'x', labels }, ...{ spec } };
}

const workerSpec = {
  machineConfigSelector: { matchLabels: { [roleLabel]: 'worker' } },
  nodeSelector: { matchLabels: { worker: '' } },
};

suite('admission', () => {
  for (const { resource, object } of defaultObjects())
    test(`what an installation creates is admitted: ${object.kind} ${object.metadata?.name}`, () => {
      assert.deepEqual(found(resource.plural, object), []);
    });

  test('every error of a MachineConfig is named, and inert files are warned about', () => {
    const bad = machineConfig([{ path: '/etc/a', mode: 0o7777 }, { path: 'b' }]);
    assert.deepEqual(found('machineconfigs', bad), [
      'error spec.config.storage.files[0].mode',
      'error spec.config.storage.files[1].path',
    ]);
    const inert = machineConfig([{ path: '/etc/a' }]);
    assert.deepEqual(found('machineconfigs', inert), ['warning spec.config.storage.files[0]']);
  });

  test('a pool: selectors and maxUnavailable', () => {
    const selector = { matchLabels: { [roleLabel]: 'infra' } };
    const spec = { machineConfigSelector: selector, nodeSelector: {}, maxUnavailable: 'many' };
    assert.deepEqual(found('machineconfigpools', { metadata: { name: 'infra' }, ...{ spec } }), [
      'error spec.nodeSelector',
      'error spec.machineConfigSelector',
      'error spec.maxUnavailable',
    ]);
  });

  test('an error that was there before does not stop another change, a new one does', () => {
    const poolOf = (maxUnavailable: string, paused: boolean): KubeObject => ({
      metadata: { name: 'worker' },
      ...{ spec: { ...workerSpec, maxUnavailable, paused } },
    });
    const severities = (object: KubeObject, oldObject: KubeObject) =>
      judge(
        { uid: 'u', resource: 'machineconfigpools', subresource: '', user: 'x', object, oldObject },
        context,
      ).map(({ severity }) => severity);
    assert.deepEqual(severities(poolOf('many', true), poolOf('many', false)), ['warning']);
    assert.deepEqual(severities(poolOf('few', true), poolOf('many', false)), ['error']);
  });

  test('a MachineConfiguration has one name', () => {
    assert.deepEqual(found('machineconfigurations', { metadata: { name: 'mine' } }), [
      'error metadata.name',
    ]);
  });

  const writers = [
    { name: 'a node its own', user: 'system:node:n1', want: [] },
    { name: 'a node another one', user: 'system:node:n2', want: ['error metadata.name'] },
    { name: 'anybody else', user: 'system:serviceaccount:kube-system:slipway', want: [] },
  ];
  for (const { name, user, want } of writers)
    test(`who writes a MachineConfigNode: ${name}`, () => {
      assert.deepEqual(found('machineconfignodes', { metadata: { name: 'n1' } }, user), want);
    });
});

suite('admission reviews', () => {
  const request = {
    uid: 'u1',
    resource: { group: 'g', version: 'v1', resource: 'machineconfigs' },
    userInfo: { username: 'jane' },
    object: { metadata: { name: 'x' } },
  };

  test('what is judged', () => {
    assert.deepEqual(decodeReview({ kind: 'AdmissionReview', request }), {
      uid: 'u1',
      resource: 'machineconfigs',
      subresource: '',
      user: 'jane',
      object: { metadata: { name: 'x' } },
    });
    for (const body of [undefined, [], {}, { kind: 'AdmissionReview' }, { kind: 'Pod', request }])
      assert.equal(decodeReview(body), undefined);
  });

  test('the answer lists every finding with path and reason', () => {
    const issues = [
      { code: 'a', severity: 'error', path: 'spec.a', message: 'is bad', hint: 'mend it' },
      { code: 'b', severity: 'error', path: 'spec.b', message: 'is worse' },
      { code: 'c', severity: 'warning', path: 'spec.c', message: 'is odd' },
    ] as const;
    assert.deepEqual(encodeReview('u1', issues), {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: {
        uid: 'u1',
        allowed: false,
        status: {
          code: 422,
          reason: 'Invalid',
          message: 'spec.a: is bad (mend it); spec.b: is worse',
          details: {
            causes: [
              { reason: 'FieldValueInvalid', field: 'spec.a', message: 'is bad' },
              { reason: 'FieldValueInvalid', field: 'spec.b', message: 'is worse' },
            ],
          },
        },
        warnings: ['spec.c: is odd'],
      },
    });
  });
});
