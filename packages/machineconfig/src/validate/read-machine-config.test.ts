import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { machineConfigurationApiVersion, roleLabel } from '@slipway/api';
import { emptyIgnitionConfig, parse } from '@slipway/ignition';
import { inertIssues } from '../disruption/inert-issues.ts';
import { policyInForce } from '../disruption/policy.ts';
import { readMachineConfig, validateMachineConfig } from './read-machine-config.ts';

function objectOf(spec: unknown, more: object = {}): unknown {
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: 'MachineConfig',
    metadata: { name: '99-x', labels: { [roleLabel]: 'worker' } },
    spec,
    ...more,
  };
}

const ignition = { version: '3.4.0' };
const withFile = (file: object) => objectOf({ config: { ignition, storage: { files: [file] } } });
const rows = [
  { name: 'nothing declared', given: objectOf({}), want: [] },
  {
    name: 'kernel arguments alone',
    given: objectOf({ kernelArguments: ['quiet', 'a=b c'] }),
    want: [],
  },
  { name: 'null kernel arguments', given: objectOf({ kernelArguments: null }), want: [] },
  {
    name: 'empty Ignition',
    given: objectOf({ config: {} }),
    want: ['error spec.config.ignition.version'],
  },
  {
    name: 'other Ignition version',
    given: objectOf({ config: { ignition: { version: '3.5.0' } } }),
    want: ['error spec.config.ignition.version'],
  },
  {
    name: 'unknown field of the spec',
    given: objectOf({ osImageURL: 'x' }),
    want: ['error spec.osImageURL'],
  },
  { name: 'unknown field of the object', given: objectOf({}, { data: {} }), want: ['error data'] },
  { name: 'spec of another type', given: objectOf('x'), want: ['error spec'] },
  {
    name: 'kernel arguments of another type',
    given: objectOf({ kernelArguments: 'quiet' }),
    want: ['error spec.kernelArguments'],
  },
  {
    name: 'every bad kernel argument is found',
    given: objectOf({ kernelArguments: ['ok', '', 'a\nb', 3] }),
    want: [1, 2, 3].map((index) => `error spec.kernelArguments[${index}]`),
  },
  {
    name: 'mode with special bits',
    given: withFile({ path: '/etc/a', mode: 0o4755 }),
    want: ['error spec.config.storage.files[0].mode'],
  },
  {
    name: 'file in the root directory',
    given: withFile({ path: '/a' }),
    want: ['error spec.config.storage.files[0].path'],
  },
  {
    name: 'the file that forces a reapplication',
    given: withFile({ path: '/run/machine-config-daemon-force' }),
    want: ['error spec.config.storage.files[0].path'],
  },
  {
    name: 'no role',
    given: objectOf({}, { metadata: { name: 'x' } }),
    want: ['warning metadata.labels'],
  },
  { name: 'no object at all', given: 'x', want: ['error '] },
] as const;

suite('validating a MachineConfig', () => {
  for (const { name, given, want } of rows)
    test(name, () => {
      const found = validateMachineConfig(given).map(({ severity, path }) => `${severity} ${path}`);
      assert.deepEqual(found, want);
    });

  test('findings in a text have their place in it', () => {
    const text = [
      'kind: MachineConfig',
      'spec:',
      '  kernelArguments: [ok, ""]',
      '  extensions: []',
    ];
    const [tree] = parse(text.join('\n')).documents;
    assert.ok(tree !== undefined);
    const found = readMachineConfig(tree).issues.map(({ path, line, column }) => [
      path,
      line,
      column,
    ]);
    assert.deepEqual(found.slice(0, 2), [
      ['spec.extensions', 4, 3],
      ['spec.kernelArguments[1]', 3, 25],
    ]);
  });

  test('a key that appears twice is found', () => {
    const [tree] = parse('{"spec": {}, "spec": {"kernelArguments": []}}').documents;
    assert.ok(tree !== undefined);
    assert.equal(readMachineConfig(tree).issues[0]?.message, 'spec appears twice');
  });
});

test('a file whose only action is None is named, unless something reboots', () => {
  const path = '/etc/a';
  const files = [{ path }];
  const host = { ignition: { ...emptyIgnitionConfig, files }, kernelArguments: [] };
  const policy = policyInForce(undefined);
  assert.match(inertIssues(host, policy)[0]?.message ?? '', /\/etc\/a will be inert: the default/);
  assert.deepEqual(inertIssues({ ...host, kernelArguments: ['quiet'] }, policy), []);
});
