import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dirAvailable } from './check/dir-available.ts';
import { kernelSetting } from './check/file-content.ts';
import { httpProxyCidr } from './check/http-proxy-cidr.ts';
import { swap } from './check/swap.ts';
import type { Check } from './check.ts';
import { findingsOf, type HostDescription } from './testing/described-host.ts';

const forward = '/proc/sys/net/ipv4/ip_forward';
const forward6 = '/proc/sys/net/ipv6/conf/default/forwarding';
const swaps = (...devices: readonly string[]) => ({
  kernelFiles: { '/proc/swaps': `Filename Type\n${devices.map((one) => `${one} x\n`).join('')}` },
});

const cases: readonly {
  readonly name: string;
  readonly check: Check;
  readonly given: HostDescription;
  readonly want: RegExp;
}[] = [
  {
    name: 'one line more, so that a second setting does not undo the first',
    check: kernelSetting(forward),
    given: { machine: { kernelFiles: { [forward]: '0' } } },
    want: /echo 'net\.ipv4\.ip_forward = 1' >> \/etc\/sysctl\.d\//,
  },
  {
    name: 'a family that the command line of the kernel turns off',
    check: kernelSetting(forward6),
    given: {},
    want: /ipv6\.disable=1/,
  },
  {
    name: 'a disk of its own, with what mkfs makes',
    check: dirAvailable('/var/lib/etcd'),
    given: { directories: ['/var/lib/etcd/lost+found'] },
    want: /etcd\.local\.dataDir: \/var\/lib\/etcd\/\S+/,
  },
  {
    name: 'swap of a disk',
    check: swap,
    given: { machine: swaps('/dev/sda2') },
    want: /^swapoff -a and remove swap from \/etc\/fstab/,
  },
  {
    name: 'swap in memory, which no line of fstab makes',
    check: swap,
    given: { machine: swaps('/dev/zram0') },
    want: /zram-generator\.conf/,
  },
  {
    name: 'exceptions that are there stay',
    check: httpProxyCidr('10.96.0.0/12'),
    given: { variables: { https_proxy: 'http://proxy:3128', no_proxy: 'x.example' } },
    want: /export NO_PROXY="\$\{NO_PROXY:-\$no_proxy\},10\.96\.0\.0\/12"/,
  },
];

describe('a fix can be followed to the letter', () => {
  for (const { name, check, given, want } of cases) {
    test(`${check.name}: ${name}`, async () => {
      const [finding] = await findingsOf(check, given);
      assert.match(finding?.fix ?? '', want);
    });
  }
});
