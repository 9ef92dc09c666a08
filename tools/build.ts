import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './run-step.ts';

/**
 * `npm run build [-- --outdir DIR]`: the shipped form, in dist/ by default. Each entry becomes `<name>.mjs`; what several of them,
 * or a lazy `import()`, need becomes a chunk beside them, so that `slipway version` loads next to
 * nothing. A program that starts another finds it beside itself:
 *
 *   new URL(import.meta.url.endsWith('.ts') ? './x.ts' : './x.mjs', import.meta.url)
 */
const programs: Readonly<Record<string, string>> = { slipway: 'packages/cli/src/main.ts' };

/**
 * Each on its own and without chunks: a cluster has one per host, and a chunk that it has in common with
 * the command would hold much that no host needs. Worth 20 MiB with six hosts.
 */
const workers: Readonly<Record<string, string>> = {
  'host-worker': 'packages/cli/src/up/host-worker.ts',
};

/** `--outdir DIR`: elsewhere than dist/. */
const chosen = process.argv.indexOf('--outdir');
const outdir = resolve(projectRoot, chosen < 0 ? 'dist' : (process.argv[chosen + 1] ?? 'dist'));
rmSync(outdir, { recursive: true, force: true });
for (const entryPoints of [programs, workers]) await bundle(entryPoints, entryPoints === programs);

if (!process.argv.includes('--quiet')) {
  for (const name of readdirSync(outdir).sort()) {
    console.log(
      `${String(statSync(join(outdir, name)).size).padStart(9)} ${relative(projectRoot, join(outdir, name))}`,
    );
  }
}

async function bundle(
  entryPoints: Readonly<Record<string, string>>,
  splitting: boolean,
): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
