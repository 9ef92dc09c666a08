import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runStep } from './run-step.ts';

/**
 * `npm run bench [-- PATTERN…]`: one JSON line per figure, `{"name","value","unit"}`, stable names.
 * A bench file exports `bench({ program }): Promise<Figure[]>`. Only files whose path holds one of the patterns run.
 */
type Figure = { readonly name: string; readonly value: number; readonly unit: string };
type Context = { /** Path of the bundled slipway. */ readonly program: string };
type BenchModule = {
  readonly bench?: (context: Context) => Promise<readonly Figure[]> | readonly Figure[];
};

const patterns = process.argv.slice(2);
const bundle = process.env['SLIPWAY_BENCH_BUNDLE'];
if (bundle === undefined) {
  const outdir = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  if (runStep([process.execPath, 'tools/build.ts', '--quiet', '--outdir', outdir]) !== 0)
    process.exit(1);
  const chosen = globSync('{packages/*/src,test}/**/*.bench.ts', { cwd: projectRoot })
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort();
  // Each in a process of its own: one bench's heap and warm code must not be the next one's figure.
  const codes = chosen.map((file) =>
    runStep([process.execPath, '--expose-gc', 'tools/bench.ts', file], {
      SLIPWAY_BENCH_BUNDLE: outdir,
    }),
  );
  rmSync(outdir, { recursive: true });
  process.exit(Math.max(0, ...codes));
} else {
  for (const file of patterns) {
    const module: BenchModule = await import(pathToFileURL(resolve(projectRoot, file)).href);
    if (module.bench === undefined) throw new Error(`${file} exports no bench()`);
    for (const figure of await module.bench({ program: join(bundle, 'slipway.mjs') }))
      console.log(JSON.stringify(figure));
  }
  process.exit(0);
}
