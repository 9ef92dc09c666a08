import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StatusError, type StoredObject } from '../contract.ts';
import { hasCondition } from '../controllers/conditions.ts';
import { admin, startBench } from '../local-bench.test.ts';

const apiVersion = 'apiextensions.k8s.io/v1';

function widgets(change: (spec: Record<string, unknown>) => void = () => undefined) {
  const spec: Record<string, unknown> = {
    group: 'ex.io',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [
          {
            name: 'Ready',
            type: 'string',
            jsonPath: '.status.conditions[?(@.type=="Ready")].status',
          },
          { name: 'Zone', type: 'string', jsonPath: '.metadata.annotations.ex\\.io/zone' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 3 },
                  color: { type: 'string' },
                },
                'x-kubernetes-validations': [{ rule: 'self.size < 10', message: 'too big' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  };
  change(spec);
  return {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.ex.io' },
    spec,
  };
}

function widget(name: string, spec: object, more: object = {}) {
  return {
    apiVersion: 'ex.io/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', ...more },
    spec,
  };
}

const crds = ['apiextensions.k8s.io', 'customresourcedefinitions', 'widgets.ex.io'] as const;

async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return assert.fail('was not refused');
}

suite('custom resource definitions', () => {
  test('are served, defaulted, judged, and go with their instances', async () => {
    await using bench = await startBench();
    await bench.create(widgets());
    const crd = await bench.until(() => {
      const object = bench.get(...crds);
      return object && hasCondition(object, 'Established') ? object : undefined;
    });
    const status = crd['status'] as Record<string, unknown>;
    assert.deepEqual(status['storedVersions'], ['v1']);
    assert.deepEqual(status['acceptedNames'], {
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
    });

    const made = await bench.create(widget('w', {}, { annotations: { 'ex.io/zone': 'z1' } }));
    assert.deepEqual(made['spec'], { size: 3 });
    assert.match(
      await refused(bench.create(widget('x', { size: 11 }))),
      /^Widget\.ex\.io "x" is invalid: spec: Invalid value: "object": too big$/,
    );

    const definition = bench.definition('ex.io', 'widgets');
    const ready: StoredObject = {
      ...made,
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    };
    assert.deepEqual(
      definition.columns.map((column) => [column.name, column.value(ready)]),
      [
        ['Name', 'w'],
        ['Ready', 'True'],
        ['Zone', 'z1'],
        ['Size', 3],
      ],
    );
    const colored = widget('c', { color: 'red' }) as StoredObject;
    assert.deepEqual(
      Object.entries(definition.selectableFields).map(([name, read]) => [name, read(colored)]),
      [['spec.color', 'red']],
    );

    await bench.access.update(definition, 'default', 'w', (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ['ex.io/hold'] },
    }));
    const crdKind = bench.definition('apiextensions.k8s.io', 'customresourcedefinitions');
    await bench.access.delete(crdKind, undefined, 'widgets.ex.io');
    await bench.until(() => bench.get('ex.io', 'widgets', 'default/w')?.metadata.deletionTimestamp);
    assert.notEqual(bench.get(...crds), undefined, 'the definition waits for its instances');
    assert.match(
      await refused(bench.create(widget('late', {}))),
      /create not allowed while custom resource definition is terminating/,
    );
    await bench.access.update(
      definition,
      'default',
      'w',
      ({ metadata, ...object }) =>
        ({
          ...object,
          metadata: { ...metadata, finalizers: [] },
        }) as StoredObject,
    );
    await bench.until(() => (bench.get(...crds) === undefined ? true : undefined));
    await bench.until(() =>
      bench.catalogue.find('ex.io', 'v1', 'widgets') === undefined ? true : undefined,
    );
  });

  test('instances go with a definition of which no version is served any more', async () => {
    await using bench = await startBench();
    await bench.create(widgets());
    const definition = await bench.until(() => bench.catalogue.find('ex.io', 'v1', 'widgets'));
    await bench.create(widget('w', {}));
    const crdKind = bench.definition('apiextensions.k8s.io', 'customresourcedefinitions');
    await bench.access.update(crdKind, undefined, 'widgets.ex.io', (object) => {
      const spec = object['spec'] as { versions: object[] };
      const versions = spec.versions.map((version) => ({ ...version, served: false }));
      return { ...object, spec: { ...spec, versions } };
    });
    await bench.until(
      () => bench.catalogue.find('ex.io', 'v1', 'widgets') === undefined || undefined,
    );
    await bench.access.delete(crdKind, undefined, 'widgets.ex.io');
    await bench.until(() => bench.get(...crds) === undefined || undefined);
    assert.deepEqual(bench.access.list(definition, 'default'), []);
  });

  test('a second definition of the same names is not accepted', async () => {
    await using bench = await startBench();
    await bench.create(widgets());
    await bench.create({
      ...widgets((spec) => {
        spec['names'] = { kind: 'Widget', plural: 'gadgets' };
      }),
      metadata: { name: 'gadgets.ex.io' },
    });
    const conditions = await bench.until(() => {
      const object = bench.get(
        'apiextensions.k8s.io',
        'customresourcedefinitions',
        'gadgets.ex.io',
      );
      return (object?.['status'] as { conditions?: { type: string; reason: string }[] } | undefined)
        ?.conditions;
    });
    assert.deepEqual(
      conditions.map(({ type, reason }) => [type, reason]),
      [
        ['NamesAccepted', 'SingularConflict'],
        ['Established', 'NotAccepted'],
      ],
    );
    assert.equal(bench.catalogue.find('ex.io', 'v1', 'gadgets'), undefined);
  });

  test('versions come and go; stored ones must stay', async () => {
    await using bench = await startBench();
    await bench.create(widgets());
    const served = (version: string) => bench.catalogue.find('ex.io', version, 'widgets');
    await bench.until(() => served('v1'));
    await bench.create(widget('w', { size: 5 }));
    const definition = bench.definition('apiextensions.k8s.io', 'customresourcedefinitions');
    const change = (versions: (first: object) => object[]) =>
      bench.access.update(definition, undefined, 'widgets.ex.io', (object) => {
        const spec = object['spec'] as { versions: object[] };
        return { ...object, spec: { ...spec, versions: versions(spec.versions[0] ?? {}) } };
      });
    await change((first) => [first, { ...first, name: 'v2', storage: false }]);
    const second = await bench.until(() => served('v2'));
    assert.equal(bench.access.get(second, 'default', 'w')?.apiVersion, 'ex.io/v2');
    assert.match(
      await refused(change((first) => [{ ...first, name: 'v2' }])),
      /status\.storedVersions\[0\]: Invalid value: "v1": missing from spec\.versions/,
    );
    await change((first) => [
      { ...first, served: false, storage: false },
      { ...first, name: 'v2', storage: true },
    ]);
    await bench.until(() => (served('v1') === undefined ? true : undefined));
    const stored = await bench.until(() => {
      const status = bench.get(...crds)?.['status'] as { storedVersions: string[] };
      return status.storedVersions.length === 2 ? status.storedVersions : undefined;
    });
    assert.deepEqual(stored, ['v1', 'v2']);
  });

  const bad: { name: string; change: (spec: Record<string, unknown>) => void; want: RegExp }[] = [
    {
      name: 'name',
      change: (spec) => {
        spec['group'] = 'other.io';
      },
      want: /metadata\.name: Invalid value: "widgets\.ex\.io": must be spec\.names\.plural\+"\."\+spec\.group/,
    },
    {
      name: 'rule',
      change: (spec) => {
        const schema = JSON.parse(
          JSON.stringify(spec['versions']).replace('self.size < 10', 'self.sise < 10'),
        );
        spec['versions'] = schema;
      },
      want: /spec\.validation\.openAPIV3Schema\.properties\[spec\]\.x-kubernetes-validations\[0\]\.rule: .*undefined field 'sise'/,
    },
    {
      name: 'conversion',
      change: (spec) => {
        spec['conversion'] = { strategy: 'Webhook' };
      },
      want: /spec\.conversion\.strategy: Unsupported value: "Webhook": supported values: "None"/,
    },
    {
      name: 'no schema',
      change: (spec) => {
        spec['versions'] = [{ name: 'v1', served: true, storage: true }];
      },
      want: /spec\.versions\[0\]\.schema\.openAPIV3Schema: Required value: schemas are required/,
    },
  ];
  for (const { name, change, want } of bad) {
    test(`refused: ${name}`, async () => {
      await using bench = await startBench();
      assert.match(await refused(bench.create(widgets(change), admin)), want);
    });
  }
});
