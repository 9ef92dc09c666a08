import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  defaultObjects,
  type MachineConfig,
  type MachineConfigPool,
  roleLabel,
} from '@slipway/api';
import { renderFailure } from './render-failure.ts';
import { type RenderOutcome, renderPool } from './render-pool.ts';
import { renderedGarbage } from './rendered-garbage.ts';
import { renderedObject } from './rendered-object.ts';

type File = { path: string; mode?: number; contents?: { source: string } };

function configOf(
  name: string,
  role: string,
  files: readonly File[] = [],
  kernelArguments?: readonly string[],
): MachineConfig {
  return {
    metadata: { name, labels: { [roleLabel]: role } },
    spec: {
      config: { ignition: { version: '3.4.0' }, storage: { files } },
      ...(kernelArguments === undefined ? {} : { kernelArguments }),
    },
  };
}

const file = (path: string, text: string, mode?: number): File => ({
  path,
  contents: { source: `data:,${text}` },
  ...(mode === undefined ? {} : { mode }),
});
const pools = defaultObjects().flatMap(({ object }) =>
  object.kind === 'MachineConfigPool' ? [object as MachineConfigPool] : [],
);
const worker = pools.find(({ metadata }) => metadata?.name === 'worker')!;
const infra: MachineConfigPool = {
  metadata: { name: 'infra', uid: 'u1' },
  spec: {
    machineConfigSelector: {
      matchExpressions: [{ key: roleLabel, operator: 'In', values: ['worker', 'infra'] }],
    },
  },
};

function rendered(outcome: RenderOutcome) {
  assert.equal(outcome.kind, 'rendered', JSON.stringify(outcome));
  return outcome.rendered;
}

suite('rendering a pool', () => {
  test('worker comes first, then the others, each by name in byte order', () => {
    const configs = [
      configOf('00-infra', 'infra'),
      configOf('99-worker', 'worker'),
      configOf('é', 'worker'),
      configOf('01-worker', 'worker'),
      configOf('00-master', 'master'),
    ];
    assert.deepEqual(rendered(renderPool(infra, configs)).sources, [
      '01-worker',
      '99-worker',
      'é',
      '00-infra',
    ]);
  });

  test('the later one wins, field by field, and the override is reported', () => {
    const result = rendered(
      renderPool(worker, [
        configOf('00-a', 'worker', [file('/etc/a', 'one', 0o600)]),
        configOf('10-b', 'worker', [file('/etc/a', 'two')]),
      ]),
    );
    assert.deepEqual(result.spec.config['storage'], {
      files: [{ path: '/etc/a', mode: 0o600, contents: { source: 'data:,two' } }],
    });
    assert.deepEqual(
      result.overrides.map(({ winner, overridden }) => [winner.source, overridden.source]),
      [['10-b', '00-a']],
    );
  });

  test('kernel arguments concatenate in merge order, duplicates included', () => {
    const result = rendered(
      renderPool(infra, [
        configOf('00-infra', 'infra', [], ['a', 'b']),
        configOf('99-worker', 'worker', [], ['b']),
      ]),
    );
    assert.deepEqual(result.spec.kernelArguments, ['b', 'a', 'b']);
  });

  test('same content, same name: whatever the sources are called, and after a revert', () => {
    const one = rendered(renderPool(worker, [configOf('00-a', 'worker', [file('/etc/a', 'one')])]));
    const two = rendered(renderPool(worker, [configOf('50-z', 'worker', [file('/etc/a', 'one')])]));
    const other = rendered(
      renderPool(worker, [configOf('00-a', 'worker', [file('/etc/a', 'two')])]),
    );
    assert.match(one.name, /^rendered-worker-[0-9a-f]{32}$/);
    assert.equal(one.name, two.name);
    assert.notEqual(one.name, other.name);
  });

  test('the empty worker configuration has a fixed name', () => {
    const empty = rendered(renderPool(worker, [configOf('00-worker', 'worker')]));
    assert.deepEqual(empty.spec, { config: { ignition: { version: '3.4.0' } } });
    assert.equal(empty.name, 'rendered-worker-0d6aef30c9aa0b9b47646711b6921035');
  });

  test('rendered objects belong to their pool and are never rendered again', () => {
    const sources = [configOf('00-worker', 'worker')];
    const object = renderedObject(infra, rendered(renderPool(infra, sources)));
    assert.equal(object.metadata?.ownerReferences?.[0]?.uid, 'u1');
    const labelled = {
      ...object,
      metadata: { ...object.metadata, labels: { [roleLabel]: 'worker' } },
    };
    assert.deepEqual(rendered(renderPool(infra, [...sources, labelled])).sources, ['00-worker']);
  });
});

suite('what is not rendered', () => {
  const rows = [
    {
      name: 'an invalid MachineConfig is named with its finding',
      pool: worker,
      given: [
        configOf('00-a', 'worker'),
        configOf('99-bad', 'worker', [file('/etc/a', 'x', 0o7777)]),
      ],
      want: /^InvalidMachineConfig: MachineConfig 99-bad: spec\.config\.storage\.files\[0\]\.mode: /,
    },
    {
      name: 'two valid ones that do not go together',
      pool: worker,
      given: [
        configOf('00-a', 'worker', [file('/etc/a', 'x')]),
        configOf('99-b', 'worker', [file('/etc/a/b', 'x')]),
      ],
      want: /^InvalidMachineConfig: MachineConfig (00-a|99-b): spec\.config\.storage\.files/,
    },
    {
      name: 'a pool that selects nothing',
      pool: worker,
      given: [],
      want: /^NothingSelected: .*worker/,
    },
    {
      name: 'a custom pool without worker',
      pool: {
        metadata: { name: 'x' },
        spec: { machineConfigSelector: { matchLabels: { [roleLabel]: 'x' } } },
      },
      given: [configOf('00-x', 'x')],
      want: /^InvalidPool: spec\.machineConfigSelector: .*worker/,
    },
    {
      name: 'more than the store takes, with the largest sources named',
      pool: worker,
      given: ['00-a', '00-b'].map((name) =>
        configOf(name, 'worker', [file(`/etc/${name}`, 'x'.repeat(900_000))]),
      ),
      want: /^TooLarge: spec: .*1\.72 MiB.*largest: 00-a 0\.86 MiB, 00-b/,
    },
  ] as const;
  for (const { name, pool, given, want } of rows)
    test(name, () => {
      const outcome = renderPool(pool, given);
      assert.equal(outcome.kind, 'refused');
      const { reason, message } = renderFailure(outcome.findings);
      assert.match(`${reason}: ${message}`, want);
    });
});

test('old renderings go, those in use and the last ten stay', () => {
  const configs = Array.from({ length: 14 }, (_, index) => ({
    metadata: { name: `r${index}`, creationTimestamp: `2026-01-${String(index + 10)}T00:00:00Z` },
  }));
  const garbage = renderedGarbage(configs, (name) => name === 'r1');
  assert.deepEqual(
    garbage.map(({ metadata }) => metadata?.name),
    ['r3', 'r2', 'r0'],
  );
});
