import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from './must-run.ts';
import { projectRoot, runStep } from './run-step.ts';

/**
 * `npm test`: all rings that need neither root nor Go. The rooms' tests share one process
 * (`--test-isolation=none`: seconds instead of half a minute); tests that start servers or kill
 * processes live under test/ and get one each. Arguments are file patterns that replace the default.
 */
const outputDirectory = mkdtempSync(join(tmpdir(), 'slipway-test-'));

function files(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: projectRoot })).sort();
}

function run(title: string, chosen: readonly string[], options: readonly string[]): number {
  if (chosen.length === 0) return 0;
  console.log(`\n# ${title}: ${chosen.length} files`);
  const skips = join(outputDirectory, `${title.replaceAll(' ', '-')}.txt`);
  const code = runStep(
    [
      process.execPath,
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./tools/skip-reporter.ts',
      `--test-reporter-destination=${skips}`,
      ...options,
      ...chosen,
    ],
    { SLIPWAY_PROGRAM: join(program, 'slipway.mjs') },
  );
  return Math.max(code, reportSkips(readFileSync(skips, 'utf8')));
}

/** Says what was left out; in CI, a skipped test that must run there fails the run. */
function reportSkips(text: string): number {
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines) console.log(`left out: ${line}`);
  const missing = process.env['CI'] === 'true' ? lines.filter((line) => mustRun(line)) : [];
  for (const line of missing) console.error(`must run in CI but was skipped: ${line}`);
  return missing.length === 0 ? 0 : 1;
}

// What tests start is the shipped form, built where nobody else builds meanwhile.
const program = join(outputDirectory, 'bundle');
if (runStep([process.execPath, 'tools/build.ts', '--quiet', '--outdir', program]) !== 0)
  process.exit(1);
const patterns = process.argv.slice(2);
const codes =
  patterns.length > 0
    ? [run('chosen', files(patterns), [])]
    : [
        run('rooms', files(['packages/*/src/**/*.test.ts']), [
          '--test-isolation=none',
          '--test-force-exit',
        ]),
        run('house', files(['test/**/*.test.ts']), ['--test-concurrency=1']),
      ];
rmSync(outputDirectory, { recursive: true });
console.log('\nleft to other rings: real hosts (npm run test:hosts: root, systemd-nspawn)');
console.log('left to other rings: real Kubernetes (npm run test:cluster: root, Go)');
process.exit(Math.max(...codes));
