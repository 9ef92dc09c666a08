import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isJsonObject } from '@slipway/base';
import type { ConversionOptions } from './convert-document.ts';
import { type Conversion, convertTexts } from './convert-texts.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE4SrYkfM8Xu/9cFpqIOb8Y4OJ3WyPYJRB1zMOoTPJQN a@b';
const named: ConversionOptions = { identity: { name: 'a', role: 'worker' } };

function convert(text: string, options: ConversionOptions = named): Conversion {
  return convertTexts([{ file: '-', text }], options);
}

function told({ texts }: Conversion, prefix = 'machineconfig.convert.'): string[] {
  return texts.flatMap(({ issues }) =>
    issues.map(
      ({ severity, code, path, line, column }) =>
        `${severity} ${code.replace(prefix, '')} ${path} ${line}:${column}`,
    ),
  );
}

/** The spec of the only object. */
function specOf({ objects }: Conversion): Record<string, unknown> {
  assert.equal(objects.length, 1);
  const spec = objects[0]?.['spec'];
  assert.ok(isJsonObject(spec));
  return spec;
}

const ignition = (version: string, rest = '') => `ignition: {version: ${version}}\n${rest}`;
const butane = (rest: string, head = 'variant: fcos\nversion: 1.5.0') => `${head}\n${rest}`;
const machineConfig = (
  spec: string,
  metadata = '{name: a, labels: {machineconfiguration.openshift.io/role: worker}}',
) =>
  `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata: ${metadata}\nspec: ${spec}`;
const pool = (spec: string) =>
  `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: worker}\nspec: ${spec}`;
const policy = (spec: string, name = 'cluster') =>
  `apiVersion: operator.openshift.io/v1\nkind: MachineConfiguration\nmetadata: {name: ${name}}\nspec: ${spec}`;

suite('refused: nothing comes out, and why is told at its place', () => {
  const cases: readonly {
    name: string;
    given: string;
    want: string[];
    options?: ConversionOptions;
  }[] = [
    { name: 'no text', given: '', want: ['error ignition.config-empty  1:1'] },
    { name: 'only a comment', given: '# nothing', want: ['error machineconfig.text.empty  1:1'] },
    { name: 'no YAML', given: 'a: [', want: ['error ignition.yaml-syntax  1:5'] },
    { name: 'a text', given: 'hello', want: ['error input-unknown  1:1'] },
    { name: 'a list', given: '[1]', want: ['error input-unknown  1:1'] },
    { name: 'nothing known', given: 'storage: {}', want: ['error input-unknown  1:1'] },
    {
      name: 'a foreign object',
      given: 'apiVersion: v1\nkind: Pod',
      want: ['error input-unknown kind 2:7'],
    },
    {
      name: 'an object of another version',
      given: 'apiVersion: operator.openshift.io/v2\nkind: MachineConfiguration',
      want: ['error input-unknown kind 2:7'],
    },
    {
      name: 'Ignition that is said to be Butane',
      given: ignition('3.2.0'),
      options: { from: 'butane' },
      want: ['error input-unknown  1:1'],
    },
    {
      name: 'Butane that is said to be of OpenShift',
      given: butane(''),
      options: { from: 'openshift' },
      want: ['error input-unknown  1:1'],
    },
    {
      name: 'no name',
      given: ignition('3.2.0'),
      options: { identity: { role: 'worker' } },
      want: ['error name-missing  1:1'],
    },
    {
      name: 'a name that is none',
      given: ignition('3.2.0'),
      options: { identity: { role: 'worker', name: 'A B' } },
      want: ['error machineconfig.name.invalid  1:1'],
    },
    {
      name: 'an unknown Ignition',
      given: ignition('3.9.0'),
      want: ['error ignition.version-unsupported ignition.version 1:21'],
    },
    {
      name: 'a newer feature',
      given: ignition('3.6.0', 'storage: {files: [{path: /e/a, mode: 0o4755}]}'),
      want: ['error ignition.lift-newer-feature storage.files[0].mode 2:38'],
    },
    {
      name: 'an unknown field of a newer version',
      given: ignition('3.5.0', 'storage: {files: [{path: /e/a, color: 1}]}'),
      want: ['error ignition.unknown-field storage.files[0].color 2:32'],
    },
    {
      name: 'special bits in an older version',
      given: ignition('3.2.0', 'storage: {files: [{path: /e/a, mode: 0o4755}]}'),
      want: ['error ignition.mode-special-bits storage.files[0].mode 2:38'],
    },
    {
      name: 'contents from a network',
      given: ignition(
        '2.2.0',
        'storage: {files: [{path: /e/a, mode: 420, contents: {source: "http://a/b"}}]}',
      ),
      want: ['error ignition.source-scheme-unsupported storage.files[0].contents.source 2:62'],
    },
    {
      name: 'a fault keeps its place when entries before it are left out',
      given: ignition(
        '2.2.0',
        'storage:\n  files:\n    - {filesystem: x, path: /e/a}\n    - {path: /e/b, mode: 0o644, contents: {source: "data:x"}}',
      ),
      want: [
        'warning ignition.lift-no-counterpart storage.files[0] 4:7',
        'error ignition.dataurl-no-slash storage.files[1].contents.source 5:59',
      ],
    },
    {
      name: 'an unknown variant',
      given: 'variant: r4e\nversion: 1.0.0',
      want: ['error version-unsupported variant 1:10'],
    },
    {
      name: 'no version of Butane',
      given: 'variant: fcos',
      want: ['error version-unsupported  1:1'],
    },
    {
      name: 'an experimental version of Butane',
      given: 'variant: fcos\nversion: 1.8.0-experimental',
      want: ['error version-unsupported version 2:10'],
    },
    {
      name: 'a version of another variant',
      given: 'variant: flatcar\nversion: 1.5.0',
      want: ['error version-unsupported version 2:10'],
    },
    {
      name: 'contents in two ways',
      given: butane('storage: {files: [{path: /e/a, contents: {inline: a, source: "data:,a"}}]}'),
      want: ['error sources-conflict storage.files[0].contents.inline 3:51'],
    },
    {
      name: 'a unit in two ways',
      given: butane('systemd: {units: [{name: a.service, contents: "[Unit]", contents_local: a}]}'),
      want: ['error sources-conflict systemd.units[0].contents_local 3:73'],
    },
    {
      name: 'a local file without a directory for it',
      given: butane('storage: {files: [{path: /e/a, contents: {local: a}}]}'),
      want: ['error local-file storage.files[0].contents.local 3:50'],
    },
    {
      name: 'a local file that is not there',
      given: butane(
        'systemd: {units: [{name: a.service, dropins: [{name: a.conf, contents_local: a}]}]}',
      ),
      options: { ...named, readLocal: () => ({ fault: 'it does not exist' }) },
      want: ['error local-file systemd.units[0].dropins[0].contents_local 3:78'],
    },
    {
      name: 'a local unit that is no text',
      given: butane('systemd: {units: [{name: a.service, contents_local: a}]}'),
      options: { ...named, readLocal: () => ({ bytes: Uint8Array.of(255) }) },
      want: ['error local-file systemd.units[0].contents_local 3:53'],
    },
    {
      name: 'contents that are a number',
      given: butane('storage: {files: [{path: /e/a, contents: {inline: 7}}]}'),
      want: ['error machineconfig.field.type storage.files[0].contents.inline 3:51'],
    },
    {
      name: 'a mode that was meant octal',
      given: butane('storage: {files: [{path: /e/a, mode: 644}]}'),
      want: ['error ignition.mode-special-bits storage.files[0].mode 3:38'],
    },
    {
      name: 'kernel arguments that are none',
      given: machineConfig('{kernelArguments: [3]}'),
      want: ['error machineconfig.kernel-argument.invalid spec.kernelArguments[0] 4:26'],
    },
    {
      name: 'a pool of its own that does not select worker',
      given: pool(
        '{machineConfigSelector: {matchLabels: {machineconfiguration.openshift.io/role: infra}}, nodeSelector: {matchLabels: {a: b}}}',
      ).replace('name: worker', 'name: infra'),
      want: ['error pool.selector.worker-missing spec.machineConfigSelector 4:31'],
    },
    {
      name: 'a pool with a limit that is none',
      given: pool(
        '{machineConfigSelector: {matchLabels: {a: b}}, nodeSelector: {matchLabels: {a: b}}, maxUnavailable: many}',
      ),
      want: ['error pool.max-unavailable.invalid spec.maxUnavailable 4:107'],
    },
    {
      name: 'a policy of another name',
      given: policy('{}', 'other'),
      want: ['error disruption.policy.name metadata.name 3:18', 'info differs spec 4:7'],
    },
    {
      name: 'a policy with an action that is none',
      given: policy(
        '{nodeDisruptionPolicy: {units: [{name: a.service, actions: [{type: Wait}]}]}}',
      ),
      want: [
        'info differs spec 4:7',
        'error machineconfig.field.value spec.nodeDisruptionPolicy.units[0].actions[0].type 4:74',
      ],
    },
    {
      name: 'an action that is null',
      given: policy('{nodeDisruptionPolicy: {units: [{name: a.service, actions: [null]}]}}'),
      want: [
        'info differs spec 4:7',
        'error machineconfig.field.type spec.nodeDisruptionPolicy.units[0].actions[0] 4:67',
      ],
    },
    {
      name: 'a path that is null',
      given: policy('{nodeDisruptionPolicy: {files: [{path: null, actions: []}]}}'),
      want: [
        'info differs spec 4:7',
        'error machineconfig.field.missing spec.nodeDisruptionPolicy.files[0] 4:39',
      ],
    },
    {
      name: 'a label that is a number',
      given: machineConfig('{}', '{name: a, labels: {b: 1}}'),
      want: ['error machineconfig.field.type metadata.labels["b"] 3:33'],
    },
    {
      name: 'an annotation that is a number',
      given: machineConfig(
        '{}',
        '{name: a, labels: {machineconfiguration.openshift.io/role: a}, annotations: {b: 1}}',
      ),
      want: ['error machineconfig.field.type metadata.annotations.b 3:91'],
    },
    {
      name: 'a spec that is a list',
      given: machineConfig('[1]'),
      want: ['error machineconfig.field.type spec 4:7'],
    },
    {
      name: 'two of one name',
      given: `${ignition('3.2.0')}---\n${ignition('3.2.0')}`,
      want: ['error name-twice metadata.name 3:1'],
    },
  ];
  for (const { name, given, want, options } of cases) {
    test(name, () => {
      const result = convert(given, options);
      assert.deepEqual(told(result), want);
      assert.deepEqual(result.objects, []);
    });
  }
});

suite('left out, and told', () => {
  const cases: readonly { name: string; given: string; want: string[] }[] = [
    {
      name: 'users but core and boot',
      given: ignition(
        '3.4.0',
        `passwd: {users: [{name: root}, {name: core, sshAuthorizedKeys: [${key}]}]}`,
      ),
      want: ['warning dropped passwd.users[0] 2:18', 'info changed passwd.users[1].name 2:39'],
    },
    {
      name: 'core, when boot has keys of its own',
      given: ignition(
        '3.4.0',
        `passwd: {users: [{name: core}, {name: boot, sshAuthorizedKeys: [${key}]}]}`,
      ),
      want: ['warning dropped passwd.users[0] 2:18'],
    },
    {
      name: 'core without keys, which would take those of boot away',
      given: ignition('3.4.0', 'passwd: {users: [{name: core, passwordHash: x}]}'),
      want: ['warning dropped passwd.users[0] 2:18'],
    },
    {
      name: 'core that shall not exist',
      given: ignition(
        '3.4.0',
        `passwd: {users: [{name: core, shouldExist: false, sshAuthorizedKeys: [${key}]}]}`,
      ),
      want: ['warning dropped passwd.users[0] 2:18'],
    },
    {
      name: 'a file that appends to one of the host',
      given: ignition('3.1.0', 'storage: {files: [{path: /e/a, append: [{source: "data:,x"}]}]}'),
      want: ['warning dropped storage.files[0].append 2:40'],
    },
    {
      name: 'a file that appends from a network',
      given: ignition(
        '3.1.0',
        'storage: {files: [{path: /e/a, contents: {source: "data:,x"}, append: [{source: "http://x"}]}]}',
      ),
      want: ['warning dropped storage.files[0].append 2:71'],
    },
    {
      name: 'merged configs',
      given:
        'ignition: {version: 3.4.0, config: {merge: [{source: "data:,x"}], replace: {source: "data:,x"}}}',
      want: [
        'warning dropped ignition.config.merge[0] 1:45',
        'warning dropped ignition.config.replace 1:67',
      ],
    },
    {
      name: 'a key in the spelling of Ignition',
      given: butane('storage: {files: [{path: /e/a, contents: {inline: a, httpHeaders: []}}]}'),
      want: ['warning dropped storage.files[0].contents.httpHeaders 3:54'],
    },
    {
      name: 'what a version of Butane did not have',
      given: butane('kernel_arguments: {should_exist: [a]}', 'variant: fcos\nversion: 1.3.0'),
      want: ['warning dropped kernel_arguments 3:1'],
    },
    {
      name: 'sections of the openshift variant in another one',
      given: butane('metadata: {name: b}'),
      want: ['warning dropped metadata 3:1'],
    },
    {
      name: 'finalizers and the like are of the other cluster: not told',
      given: machineConfig(
        '{}',
        '{name: a, uid: b, namespace: c, finalizers: [d], labels: {machineconfiguration.openshift.io/role: e}, annotations: {machineconfiguration.openshift.io/f: g}}',
      ),
      want: [],
    },
    {
      name: 'values that say nothing: not told',
      given: machineConfig(
        '{osImageURL: "", extensions: [], fips: false, kernelType: default, kernelArguments: null}',
      ),
      want: [],
    },
    {
      name: 'a field of the future',
      given: machineConfig('{osImageStream: {name: a}}'),
      want: ['warning dropped spec.osImageStream 4:8'],
    },
    {
      name: 'other kinds of the group',
      given: 'apiVersion: machineconfiguration.openshift.io/v1alpha1\nkind: PinnedImageSet',
      want: ['warning dropped  1:1'],
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const result = convert(given);
      assert.deepEqual(told(result), want);
      assert.equal(
        result.hasDropped,
        want.some((line) => line.startsWith('warning')),
      );
    });
  }
});

suite('what becomes of values', () => {
  test('every published version of Butane', () => {
    const versions = {
      fcos: ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0', '1.7.0'],
      flatcar: ['1.0.0', '1.1.0'],
      openshift: [...Array.from({ length: 15 }, (_, index) => `4.${index + 8}.0`), '5.0.0'],
    };
    const text = 'storage: {files: [{path: /e/a, mode: 0600, contents: {inline: "x y"}}]}';
    const files = [{ path: '/e/a', mode: 0o600, contents: { source: 'data:,x%20y' } }];
    for (const [variant, list] of Object.entries(versions)) {
      for (const version of list) {
        const result = convert(butane(text, `variant: ${variant}\nversion: ${version}`));
        assert.deepEqual(told(result), [], version);
        assert.deepEqual(specOf(result)['config'], {
          ignition: { version: '3.4.0' },
          storage: { files },
        });
      }
    }
  });

  test('local files are embedded, keys line by line', () => {
    const asked: string[] = [];
    const result = convert(
      butane(
        `storage: {files: [{path: /e/a, contents: {local: f}}]}\nsystemd: {units: [{name: a.service, contents_local: u}]}\npasswd: {users: [{name: boot, ssh_authorized_keys_local: [k]}]}`,
      ),
      {
        ...named,
        readLocal: (path) => {
          asked.push(path);
          const texts: Record<string, string> = { f: '\n', u: '[Unit]\n', k: `\n${key}\r\n\n` };
          return { bytes: new TextEncoder().encode(texts[path]) };
        },
      },
    );
    assert.deepEqual(told(result), []);
    assert.deepEqual(asked, ['f', 'u', 'k']);
    assert.deepEqual(specOf(result)['config'], {
      ignition: { version: '3.4.0' },
      storage: { files: [{ path: '/e/a', contents: { source: 'data:,%0A' } }] },
      systemd: { units: [{ name: 'a.service', contents: '[Unit]\n' }] },
      passwd: { users: [{ name: 'boot', sshAuthorizedKeys: [key] }] },
    });
  });

  test('kernel arguments of both places, in their order', () => {
    const given = machineConfig(
      '{kernelArguments: [a], config: {ignition: {version: 3.3.0}, kernelArguments: {shouldExist: [b]}}}',
    );
    assert.deepEqual(specOf(convert(given))['kernelArguments'], ['a', 'b']);
  });

  test('selectors look at the role label of slipway', () => {
    const result = convert(
      pool(
        '{machineConfigSelector: {matchLabels: {machineconfiguration.openshift.io/role: worker}}, nodeSelector: {matchLabels: {a: b}}}',
      ),
    );
    assert.deepEqual(specOf(result)['machineConfigSelector'], {
      matchLabels: { 'machineconfiguration.alauda.io/role': 'worker' },
    });
  });

  test('policies keep the defaults of OpenShift, unless they are said', () => {
    const reboot = [{ type: 'Reboot' }];
    const field = 'defaultNodeDisruptionPolicySpecAction';
    assert.deepEqual(specOf(convert(policy('{}')))[field], { files: reboot, units: reboot });
    const said = { files: [{ type: 'None' }], units: [{ type: 'None' }] };
    assert.deepEqual(specOf(convert(policy(`{${field}: ${JSON.stringify(said)}}`)))[field], said);
  });

  test('nulls of a pool are as if they were not there', () => {
    const expression = '{key: a, operator: Exists, values: null}';
    const selector = `{matchLabels: null, matchExpressions: [${expression}]}`;
    const result = convert(
      pool(`{machineConfigSelector: ${selector}, nodeSelector: ${selector}, maxUnavailable: null}`),
    );
    const kept = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
    assert.deepEqual(specOf(result), { machineConfigSelector: kept, nodeSelector: kept });
  });

  const names = [
    { file: 'configs/Chrony_1.bu', identity: {}, want: '99-worker-chrony-1' },
    { file: '50-proxy.ign', identity: {}, want: '50-proxy' },
    { file: 'proxy.ign', identity: { role: 'infra' }, want: '99-infra-proxy' },
    { file: 'proxy.ign', identity: { name: 'b' }, want: 'b' },
  ];
  for (const { file, identity, want } of names) {
    test(`${file} ${JSON.stringify(identity)} is named ${want}`, () => {
      const { objects } = convertTexts([{ file, text: ignition('3.4.0') }], { identity });
      assert.deepEqual(
        objects.map(({ metadata }) => isJsonObject(metadata) && metadata['name']),
        [want],
      );
    });
  }

  test('names and roles of the input win', () => {
    const { objects } = convert(machineConfig('{}'), { identity: { name: 'z', role: 'z' } });
    assert.deepEqual(objects[0]?.['metadata'], {
      name: 'a',
      labels: { 'machineconfiguration.alauda.io/role': 'worker' },
    });
  });

  test('one refused text keeps the others back', () => {
    const texts = [
      { file: 'a.ign', text: ignition('3.4.0') },
      { file: 'b.ign', text: 'x' },
    ];
    const { objects, texts: results } = convertTexts(texts);
    assert.deepEqual(objects, []);
    assert.deepEqual(
      results.map(({ file, objects: own }) => [file, own.length]),
      [
        ['a.ign', 1],
        ['b.ign', 0],
      ],
    );
  });
});
