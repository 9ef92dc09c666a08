import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isJsonObject } from '@slipway/base';
import { defaultObjects } from '../default-objects.ts';
import { machineConfigurationDefinitions } from './definitions.ts';

function columns(kind: string): readonly string[] {
  const definition = machineConfigurationDefinitions.find((d) => d.spec.names.kind === kind);
  const list = definition?.spec.versions[0]?.additionalPrinterColumns ?? [];
  return list.map((column) => column.name);
}

/** Structural schemas only: every node has a type (or is an int-or-string), lists have items. */
function faults(schema: unknown, path: string): readonly string[] {
  if (!isJsonObject(schema)) return [`${path}: no schema`];
  const found: string[] = [];
  const mixed = schema['x-kubernetes-int-or-string'] === true;
  if (schema['type'] === undefined && !mixed) found.push(`${path}: no type`);
  if (schema['type'] === 'array') found.push(...faults(schema['items'], `${path}[]`));
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, child] of Object.entries(properties)) {
    found.push(...faults(child, `${path}.${name}`));
    const undescribed = isJsonObject(child) && child['description'] === undefined;
    if (undescribed && name !== 'metadata') found.push(`${path}.${name}: no description`);
  }
  for (const name of (schema['required'] ?? []) as readonly string[])
    if (properties[name] === undefined) found.push(`${path}: requires unknown ${name}`);
  return found;
}

suite('custom resource definitions', () => {
  test('printer columns are those of the product documentation', () => {
    assert.deepEqual(columns('MachineConfigPool'), [
      'Config',
      'Updated',
      'Updating',
      'Degraded',
      'MachineCount',
      'ReadyMachineCount',
      'UpdatedMachineCount',
      'DegradedMachineCount',
      'Age',
    ]);
    assert.deepEqual(columns('MachineConfig'), ['IgnitionVersion', 'Age']);
  });

  test('names, short names, scope and subresources', () => {
    const got = machineConfigurationDefinitions.map(({ metadata, spec }) => ({
      name: metadata?.name,
      short: spec.names.shortNames?.join() ?? '',
      scope: spec.scope,
      status: spec.versions[0]?.subresources?.status !== undefined,
    }));
    const group = 'machineconfiguration.alauda.io';
    assert.deepEqual(got, [
      { name: `machineconfigs.${group}`, short: 'mc', scope: 'Cluster', status: false },
      { name: `machineconfigpools.${group}`, short: 'mcp', scope: 'Cluster', status: true },
      { name: `machineconfigurations.${group}`, short: '', scope: 'Cluster', status: true },
      { name: `machineconfignodes.${group}`, short: 'mcn', scope: 'Cluster', status: true },
    ]);
  });

  for (const definition of machineConfigurationDefinitions)
    test(`${definition.spec.names.kind} has a structural, described schema`, () => {
      const schema = definition.spec.versions[0]?.schema?.openAPIV3Schema;
      assert.deepEqual(faults(schema, ''), []);
    });
});

test('default objects are of the kinds and names that a cluster starts with', () => {
  assert.deepEqual(
    defaultObjects().map(({ object }) => `${object.kind}/${object.metadata?.name}`),
    [
      'MachineConfiguration/cluster',
      'MachineConfig/00-master',
      'MachineConfig/00-worker',
      'MachineConfigPool/master',
      'MachineConfigPool/worker',
    ],
  );
});
