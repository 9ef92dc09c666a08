import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runStep } from './run-step.ts';

/**
 * `npm run bench [-- PATTERN…]`: one JSON line per figure, `{"name","value","unit"}`, stable names.
 * A bench file exports `bench(): Promise<Figure[]>`. Only files whose path holds one of the patterns run.
 */
type Figure = { readonly name: string; readonly value: number; readonly unit: string };
type BenchModule = { readonly bench?: () => Promise<readonly Figure[]> | readonly Figure[] };

const patterns = process.argv.slice(2);
if (process.env['SLIPWAY_BENCH_CHILD'] === undefined) {
  if (runStep([process.execPath, 'tools/build.ts', '--quiet']) !== 0) process.exit(1);
  const chosen = globSync('{packages/*/src,test}/**/*.bench.ts', { cwd: projectRoot })
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort();
  // Each in a process of its own: one bench's heap and warm code must not be the next one's figure.
  const codes = chosen.map((file) =>
    runStep([process.execPath, '--expose-gc', 'tools/bench.ts', file], {
      SLIPWAY_BENCH_CHILD: '1',
    }),
  );
  process.exit(Math.max(0, ...codes));
} else {
  for (const file of patterns) {
    const module: BenchModule = await import(pathToFileURL(resolve(projectRoot, file)).href);
    if (module.bench === undefined) throw new Error(`${file} exports no bench()`);
    for (const figure of await module.bench()) console.log(JSON.stringify(figure));
  }
  process.exit(0);
}
