import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describedGround } from '../testing/described-host.ts';
import { readRuntimeConfiguration } from './runtime-configuration.ts';

const main = '/etc/containerd/config.toml';
const plugin = 'plugins."io.containerd.grpc.v1.cri"';
const driver2 = (isSystemd: boolean) =>
  `[${plugin}.containerd.runtimes.runc.options]\n  SystemdCgroup = ${isSystemd}\n`;
const image2 = (image: string) => `[${plugin}]\n  sandbox_image = "${image}"\n`;
const driver3 = (isSystemd: boolean) =>
  `[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]\n  SystemdCgroup = ${isSystemd}\n`;
const image3 = (image: string) =>
  `[plugins.'io.containerd.cri.v1.images'.pinned_images]\n  sandbox = '${image}'\n`;
const imports = 'imports = ["/etc/containerd/conf.d/*.toml"]\n';

/** What `containerd config dump` of 1.6.20 (versions 1 and 2) and of 2.4.2 (3 and 4) says of such files. */
const cases: readonly {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Undefined: there is no configuration. */
  readonly want: readonly [driver: string, image: string | undefined, tells: boolean] | undefined;
}[] = [
  { name: 'nothing', files: {}, want: undefined },
  {
    name: 'a drop-in without the file that imports it',
    files: { '/etc/containerd/conf.d/a.toml': `version = 2\n${driver2(true)}` },
    want: undefined,
  },
  { name: 'an empty file', files: { [main]: '' }, want: ['cgroupfs', undefined, false] },
  {
    name: 'version 2',
    files: { [main]: `version = 2\n${image2('m/pause:1')}${driver2(true)}` },
    want: ['systemd', 'm/pause:1', false],
  },
  {
    name: 'version 3',
    files: { [main]: `version = 3\n${image3('m/pause:1')}${driver3(true)}` },
    want: ['systemd', 'm/pause:1', true],
  },
  {
    name: 'version 4, with inline tables',
    files: {
      [main]: `version = 4
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  options = { SystemdCgroup = true }
[plugins.'io.containerd.cri.v1.images']
  pinned_images = { sandbox = 'm/pause:1' }
`,
    },
    want: ['systemd', 'm/pause:1', true],
  },
  {
    name: 'another runtime beside runc',
    files: {
      [main]: `version = 2\n${driver2(true)}[${plugin}.containerd.runtimes.nvidia.options]\nSystemdCgroup = false\n`,
    },
    want: ['systemd', undefined, false],
  },
  {
    name: 'another runtime by default',
    files: {
      [main]: `version = 2
[${plugin}.containerd]
default_runtime_name = "nvidia"
${driver2(true)}[${plugin}.containerd.runtimes.nvidia.options]
SystemdCgroup = false
`,
    },
    want: ['cgroupfs', undefined, false],
  },
  {
    name: 'version 2 does not know the key of version 1.2',
    files: { [main]: `version = 2\n[${plugin}]\nsystemd_cgroup = true\n` },
    want: ['cgroupfs', undefined, false],
  },
  {
    name: 'drop-ins that are not imported',
    files: {
      [main]: 'version = 2\n',
      '/etc/containerd/conf.d/a.toml': `version = 2\n${driver2(true)}`,
    },
    want: ['cgroupfs', undefined, false],
  },
  {
    name: 'an import of version 2 replaces the whole plugin',
    files: {
      [main]: `${imports}version = 2\n${image2('m/pause:1')}${driver2(true)}`,
      '/etc/containerd/conf.d/a.toml': `version = 2\n[${plugin}.registry]\nconfig_path = "/x"\n`,
    },
    want: ['cgroupfs', undefined, false],
  },
  {
    name: 'an import of version 3 is merged',
    files: {
      [main]: `${imports}version = 3\n${image3('m/pause:1')}${driver3(false)}`,
      '/etc/containerd/conf.d/a.toml': `version = 3\n${driver3(true)}`,
      '/etc/containerd/conf.d/b.toml': `version = 3\n${image3('x/pause:2')}`,
      '/etc/containerd/conf.d/c.conf': `version = 3\n${image3('y/pause:3')}`,
    },
    want: ['systemd', 'x/pause:2', true],
  },
  {
    name: 'a relative import, and files that import each other',
    files: {
      [main]: 'imports = [\n  "x/a.toml", # one\n  "missing.toml",\n]\nversion = 2\n',
      '/etc/containerd/x/a.toml': `imports = ["../config.toml"]\nversion = 2\n${driver2(true)}`,
    },
    want: ['systemd', undefined, false],
  },
];

describe('readRuntimeConfiguration', () => {
  for (const { name, files, want } of cases) {
    test(name, async () => {
      using ground = describedGround({ files });
      const got = await readRuntimeConfiguration(ground.files, 'unix:///run/containerd/c.sock');
      assert.deepEqual(got && [got.cgroupDriver, got.sandboxImage, got.tellsDriver], want);
    });
  }

  test('names the files in the order in which they count', async () => {
    const files = {
      '/etc/containerd/conf.d/b.toml': '',
      '/etc/containerd/conf.d/a.toml': '',
      [main]: imports,
    };
    using ground = describedGround({ files });
    const got = await readRuntimeConfiguration(ground.files, '/run/containerd/c.sock');
    assert.deepEqual(got?.sources, [
      main,
      '/etc/containerd/conf.d/a.toml',
      '/etc/containerd/conf.d/b.toml',
    ]);
  });
});
