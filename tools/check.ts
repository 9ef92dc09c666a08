import { localProgram, runStep } from './run-step.ts';

/** `npm run check`: format and lint, types, architecture, dead exports and dependencies, clean generated files. */
const steps: readonly (readonly [string, readonly string[]])[] = [
  ['format and lint', [localProgram('biome'), 'check', '--error-on-warnings', '.']],
  ['types', [localProgram('tsc'), '-p', '.']],
  [
    'architecture',
    [process.execPath, '--test', '--test-reporter=dot', 'test/architecture.test.ts'],
  ],
  ['dead code', [localProgram('knip'), '--no-progress']],
  ['generated files', [process.execPath, 'tools/generate.ts', '--check']],
];

let worst = 0;
for (const [title, argv] of steps) {
  const code = runStep(argv);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${title}`);
  worst = Math.max(worst, code);
}
process.exit(worst);
