import { createHostFiles } from '../host-files.ts';
import { noLabels } from '../labels.ts';
import { realOwnership } from '../ownership.ts';

/** Writes versions of `/etc/target` below the root given as its argument until it is killed. */
const files = createHostFiles({
  root: process.argv[2] ?? '',
  ownership: realOwnership,
  labels: noLabels,
});
const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
for (let version = 0; ; version += 1) {
  const content = Buffer.alloc(100_000, 97 + (version % 26));
  const mode = 0o600 + (version % 26);
  await files.write('/etc/target', content, { mode, ...owner });
  if (version === 1) process.stdout.write('writing\n');
}
