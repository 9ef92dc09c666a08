import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createHostFiles } from '../file/host-files.ts';
import { noLabels } from '../file/labels.ts';
import { realOwnership } from '../file/ownership.ts';
import { createAccounts } from './accounts.ts';

suite('accounts', () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-accounts-'));
  const accounts = createAccounts(
    createHostFiles({ root, ownership: realOwnership, labels: noLabels }),
  );
  mkdirSync(join(root, 'etc'));
  const passwd =
    'root:x:0:0:root:/root:/bin/sh\n# no entry\n+::::::\nhalf:x:7\nboot:x:1000:1001::/home/boot:/bin/sh\nbare:x:5:5:::\n';
  writeFileSync(join(root, 'etc/passwd'), passwd);
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nwheel:x:10:boot\n1000:x:77:\n');

  const rows = [
    { given: 'boot', want: { name: 'boot', uid: 1000, gid: 1001, home: '/home/boot' } },
    { given: 1000, want: { name: 'boot', uid: 1000, gid: 1001, home: '/home/boot' } },
    { given: 'bare', want: { name: 'bare', uid: 5, gid: 5, home: '/' } },
    { given: 'half', want: undefined },
    { given: '+', want: undefined },
    { given: '1000', want: undefined },
    { given: 4242, want: undefined },
  ];
  for (const { given, want } of rows) {
    test(`user ${given}`, async () => assert.deepEqual(await accounts.user(given), want));
  }

  test('groups by name and id; a name of digits is a name', async () => {
    assert.deepEqual(await accounts.group('wheel'), { name: 'wheel', gid: 10 });
    assert.deepEqual(await accounts.group(10), { name: 'wheel', gid: 10 });
    assert.deepEqual(await accounts.group('1000'), { name: '1000', gid: 77 });
    assert.equal(await accounts.group(1000), undefined);
  });

  test('a host without account files is an error', async () => {
    rmSync(root, { recursive: true });
    mkdirSync(root);
    await assert.rejects(accounts.user('root'), { code: 'host.account.unreadable' });
    rmSync(root, { recursive: true });
  });
});
