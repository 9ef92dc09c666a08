import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { InitSettings } from '../config/configuration.ts';
import { agreeOnAddons } from './skipped-addons.ts';

function settings(dns: boolean, proxy: boolean): InitSettings {
  return { cluster: { dns: { disabled: dns }, proxy: { disabled: proxy } } } as InitSettings;
}

suite('agreeOnAddons', () => {
  const cases = [
    {
      name: 'nothing skipped, nothing disabled',
      given: [settings(false, false), ['preflight']],
      want: [false, false, ['preflight']],
    },
    {
      name: 'a skipped add-on is stored as disabled',
      given: [settings(false, false), ['addon/coredns']],
      want: [true, false, ['addon/coredns']],
    },
    {
      name: 'all add-ons skipped',
      given: [settings(false, false), ['addon']],
      want: [true, true, ['addon']],
    },
    {
      name: 'a disabled add-on is skipped',
      given: [settings(false, true), []],
      want: [false, true, ['addon/kube-proxy']],
    },
  ] as const;
  for (const { name, given, want } of cases) {
    test(name, () => {
      const got = agreeOnAddons(given[0], given[1]);
      const { dns, proxy } = got.settings.cluster;
      assert.deepEqual([dns.disabled, proxy.disabled, got.skipPhases], want);
    });
  }
});
