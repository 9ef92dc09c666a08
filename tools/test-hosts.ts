import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot, runStep } from './run-step.ts';

/**
 * `npm run test:hosts`: the same daemon, operator and contract suites on hosts with a real systemd
 * (systemd-nspawn). Needs root and Linux; refuses with the reason instead of passing without having run.
 */
function obstacle(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root: systemd-nspawn boots whole machines';
  for (const program of ['systemd-nspawn', 'mmdebstrap', 'ip', 'nsenter']) {
    try {
      execFileSync('which', [program], { stdio: 'ignore' });
    } catch {
      return `needs ${program}: apt-get install systemd-container mmdebstrap iproute2 util-linux`;
    }
  }
  return undefined;
}

const reason = obstacle();
if (reason !== undefined) {
  console.error(`test:hosts: ${reason}`);
  process.exit(2);
}
const bundle = mkdtempSync(join(tmpdir(), 'slipway-test-hosts-'));
if (runStep([process.execPath, 'tools/build.ts', '--quiet', '--outdir', bundle]) !== 0)
  process.exit(1);
const files = globSync('test/hosts/**/*.host-test.ts', { cwd: projectRoot }).sort();
const code = runStep(
  [process.execPath, '--test', '--test-concurrency=1', '--test-reporter=spec', ...files],
  { SLIPWAY_PROGRAM: join(bundle, 'slipway.mjs') },
);
rmSync(bundle, { recursive: true });
process.exit(code);
