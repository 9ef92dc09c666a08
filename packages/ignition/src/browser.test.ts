import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

test('the room bundles for a browser without any Node module', () => {
  const { outputFiles, warnings } = buildSync({
    entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  assert.deepEqual(warnings, []);
  assert.doesNotMatch(outputFiles[0]?.text ?? '', /from\s*["']node:|process\.(?:env|cwd)/);
});
