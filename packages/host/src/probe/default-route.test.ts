import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultRouteInterfaceOf } from './default-route.ts';

const header =
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
const local = 'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0';
const zeros = '0'.repeat(32);

describe('the default route', () => {
  for (const { name, family, lines, want } of [
    {
      name: 'is the one to 0.0.0.0/0',
      family: 'ipv4',
      lines: [header, local, 'eth1\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0'],
      want: 'eth1',
    },
    {
      name: 'is the one with the least metric',
      family: 'ipv4',
      lines: [
        header,
        'wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0',
        'eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0',
      ],
      want: 'eth0',
    },
    { name: 'need not be', family: 'ipv4', lines: [header, local], want: undefined },
    {
      name: 'that is down does not count',
      family: 'ipv4',
      lines: [header, 'eth0\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0'],
      want: undefined,
    },
    {
      name: 'of IPv6',
      family: 'ipv6',
      lines: [
        `fd${'0'.repeat(30)} 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001     eth0`,
        `${zeros} 00 ${zeros} 00 fd${'0'.repeat(29)}1 00000400 00000003 00000000 00000003     eth0`,
        `${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo`,
      ],
      want: 'eth0',
    },
  ] as const) {
    test(name, () => assert.equal(defaultRouteInterfaceOf(family, lines.join('\n')), want));
  }
});
