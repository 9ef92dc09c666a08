import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jsonOf, liftTree, parse, readIgnition, treeFromJson } from '../index.ts';

/** The lifted config and what was told, shortly. */
function lift(text: string) {
  const [document] = parse(text).documents;
  assert.ok(document !== undefined);
  const { tree, issues } = liftTree(document);
  const told = issues.map(
    ({ code, severity, path, line }) =>
      `${severity} ${code.replace('ignition.', '')} ${path} ${line ?? '-'}`,
  );
  return { config: tree && jsonOf(tree.root), told };
}

const two = (rest: string) => `ignition: {version: 2.2.0}\n${rest}`;
const file = (rest: string) =>
  two(`storage: {files: [{filesystem: root, path: /a, mode: 420${rest}}]}`);
const filesOf = (files: readonly unknown[]) => ({
  ignition: { version: '3.4.0' },
  storage: { files },
});
const whole = { path: '/a', mode: 420, contents: { source: 'data:,x' }, overwrite: true };

suite('a config of 2.x', () => {
  const cases = [
    ...['2.0.0', '2.1.0', '2.2.0', '2.3.0', '2.4.0'].map((version) => ({
      name: `version ${version}`,
      given: `ignition: {version: ${version}}`,
      want: { config: { ignition: { version: '3.4.0' } }, told: [] },
    })),
    {
      name: 'a file of the root file system replaces what is there',
      given: file(', contents: {source: "data:,x"}'),
      want: { config: filesOf([whole]), told: [] },
    },
    {
      name: 'a file that replaces nothing',
      given: file(', overwrite: false, contents: {source: "data:,x"}'),
      want: {
        config: filesOf([
          { path: '/a', mode: 420, overwrite: false, contents: { source: 'data:,x' } },
        ]),
        told: [],
      },
    },
    {
      name: 'a file without contents is empty',
      given: file(''),
      want: {
        config: filesOf([{ ...whole, contents: { source: '' } }]),
        told: [],
      },
    },
    {
      name: 'a file without a mode',
      given: two('storage: {files: [{filesystem: root, path: /a, contents: {source: "data:,x"}}]}'),
      want: {
        config: filesOf([{ path: '/a', contents: { source: 'data:,x' }, overwrite: true }]),
        told: ['info lift-mode-unset storage.files[0] 2'],
      },
    },
    {
      name: 'a file of another file system',
      given: two(
        'storage: {files: [{filesystem: boot, path: /a}, {filesystem: root, path: /b, mode: 420}]}',
      ),
      want: {
        config: filesOf([{ path: '/b', mode: 420, contents: { source: '' }, overwrite: true }]),
        told: ['warning lift-no-counterpart storage.files[0] 2'],
      },
    },
    {
      name: 'text appended to a declared file',
      given: two(
        'storage: {files: [{path: /a, mode: 420, contents: {source: "data:,x"}}, {path: /a, append: true, contents: {source: "data:,y"}}]}',
      ),
      want: { config: filesOf([{ ...whole, append: [{ source: 'data:,y' }] }]), told: [] },
    },
    {
      name: 'text appended to a file of the host',
      given: file(', append: true, contents: {source: "data:,x"}'),
      want: {
        config: filesOf([]),
        told: ['warning lift-no-counterpart storage.files[0] 2'],
      },
    },
    {
      name: 'a file twice: the later one wins',
      given: two(
        'storage: {files: [{path: /a, mode: 384}, {path: /a, mode: 420, contents: {source: "data:,x"}}]}',
      ),
      want: {
        config: filesOf([whole]),
        told: ['info lift-duplicate storage.files[1] 2'],
      },
    },
    {
      name: 'units by the older spelling, twice, with the drop-ins of both',
      given: two(
        'systemd: {units: [{name: a.service, dropins: [{name: a.conf}, {name: b.conf}]}, {name: a.service, enable: true, dropins: [{name: b.conf, contents: "[Unit]"}]}, {name: b.service, enable: false}, {name: c.service, enable: true, enabled: false}]}',
      ),
      want: {
        config: {
          ignition: { version: '3.4.0' },
          systemd: {
            units: [
              {
                name: 'a.service',
                dropins: [{ name: 'a.conf' }, { name: 'b.conf', contents: '[Unit]' }],
                enabled: true,
              },
              { name: 'b.service' },
              { name: 'c.service', enabled: false },
            ],
          },
        },
        told: ['info lift-duplicate systemd.units[1] 2'],
      },
    },
    {
      name: 'networkd, appended configs and how users are created',
      given: two(
        'networkd: {units: [{name: a.network}, {name: b.network}]}\npasswd: {users: [{name: core, create: {uid: 5}, sshAuthorizedKeys: [a]}, {name: core, sshAuthorizedKeys: [b]}]}',
      ).replace('2.2.0', '2.2.0, config: {append: [{source: "http://x"}]}'),
      want: {
        config: {
          ignition: { version: '3.4.0', config: {} },
          passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['a', 'b'] }] },
        },
        told: [
          'warning lift-no-counterpart ignition.config.append 1',
          'warning lift-no-counterpart networkd.units[0] 2',
          'warning lift-no-counterpart networkd.units[1] 2',
          'warning lift-no-counterpart passwd.users[0].create 3',
          'info lift-duplicate passwd.users[1] 3',
        ],
      },
    },
    {
      name: 'a key that no version knows keeps its place',
      given: two(
        'storage: {files: [{filesystem: boot, path: /a}, {path: /b, mode: 420, color: 1}]}',
      ),
      want: {
        config: filesOf([{ path: '/b', mode: 420, contents: { source: '' }, overwrite: true }]),
        told: [
          'warning lift-no-counterpart storage.files[0] 2',
          'warning unknown-field storage.files[1].color 2',
        ],
      },
    },
  ];
  for (const { name, given, want } of cases) test(name, () => assert.deepEqual(lift(given), want));
});

suite('a config of 3.x', () => {
  const cases = [
    ...[0, 1, 2, 3, 4, 5, 6].map((minor) => ({
      name: `version 3.${minor}.0`,
      given: `ignition: {version: 3.${minor}.0}\nstorage: {files: [{path: /a, contents: {source: "data:,x"}}]}`,
      want: {
        config: filesOf([{ path: '/a', contents: { source: 'data:,x' } }]),
        told: [] as string[],
      },
    })),
    {
      name: 'a section that came later',
      given: 'ignition: {version: 3.2.0}\nkernelArguments: {shouldExist: [a]}',
      want: {
        config: { ignition: { version: '3.4.0' } },
        told: ['warning unknown-field kernelArguments 2'],
      },
    },
    {
      name: 'Crypto Express cards of 3.5',
      given: 'ignition: {version: 3.5.0}\nstorage: {luks: [{name: a, cex: {enabled: true}}]}',
      want: { config: undefined, told: ['error lift-newer-feature storage.luks[0].cex 2'] },
    },
    {
      name: 'a sticky bit of 3.6',
      given: 'ignition: {version: 3.6.0}\nstorage: {files: [{path: /a, mode: 0o1777}]}',
      want: { config: undefined, told: ['error lift-newer-feature storage.files[0].mode 2'] },
    },
    {
      name: 'a source that came later',
      given:
        'ignition: {version: 3.1.0}\nstorage: {files: [{path: /a, contents: {source: "gs://a/b"}}]}',
      want: { config: undefined, told: ['error url-scheme storage.files[0].contents.source 2'] },
    },
  ];
  for (const { name, given, want } of cases) test(name, () => assert.deepEqual(lift(given), want));
});

suite('a version that cannot be converted', () => {
  const cases = [
    ...['1.0.0', '2.5.0', '2.2.1', '3.7.0', '3.5.0-experimental', '4.0.0'].map((version) => ({
      version,
      code: 'version-unsupported',
    })),
    ...['"3.4"', '3', '""', 'null', '[3]', 'latest'].map((version) => ({
      version,
      code: 'version-unparsable',
    })),
  ];
  for (const { version, code } of cases) {
    test(version, () => {
      const { config, told } = lift(`ignition: {version: ${version}}`);
      assert.equal(config, undefined);
      assert.deepEqual(told, [`error ${code} ignition.version 1`]);
    });
  }
  for (const given of ['{}', '[]', '"x"', 'null', '{"ignition": 3}']) {
    test(given, () => assert.match(lift(given).told.join(), /^error version-unparsable/));
  }
});

test('values of wrong types are carried to validation, which refuses them', () => {
  const given = {
    ignition: { version: '2.3.0', config: 7 },
    storage: { files: [5, { path: 7 }, { path: '/a', append: 'yes', contents: 7, mode: 420 }] },
    systemd: { units: [{ name: 7 }, { name: 'a.service', enable: 'yes' }] },
    passwd: { users: 'root' },
    networkd: 3,
  };
  const { tree } = liftTree(treeFromJson(given));
  assert.ok(tree !== undefined);
  const { config, issues } = readIgnition(tree);
  assert.equal(config, undefined);
  assert.ok(issues.filter(({ code }) => code === 'ignition.json-type').length >= 5);
});
