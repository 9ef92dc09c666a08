import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { machineConfigurationDefinitions } from '@slipway/api';
import { catalogueMarkdown } from '@slipway/ignition';
import { stringify } from 'yaml';
import { errorCodesPage } from './error-codes.ts';
import { roomRemedies } from './error-remedies.ts';
import { projectRoot } from './run-step.ts';

/**
 * `npm run generate`: files that follow from the source. `--check` writes nothing and fails when one is
 * not as it would be written. The API server's type tables need Go and have their own generator
 * (tools/type-tables).
 */
const remedies = Object.assign({}, ...Object.values(roomRemedies).map((room) => room.remedies));
const generated: Readonly<Record<string, string>> = {
  // What the program itself says about errors of other rooms.
  'packages/cli/src/remedies.json': `${JSON.stringify(remedies, null, 2)}\n`,
  'docs/runbook/error-codes.md': errorCodesPage(),
  'packages/ignition/CODES.md': catalogueMarkdown(),
  'docs/reference/custom-resource-definitions.yaml': machineConfigurationDefinitions
    .map((definition) => stringify(definition, { aliasDuplicateObjects: false }))
    .join('---\n'),
};

const stale = Object.entries(generated).filter(([file, content]) => {
  const path = join(projectRoot, file);
  return !existsSync(path) || readFileSync(path, 'utf8') !== content;
});
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is not as generated: npm run generate`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [file, content] of stale) {
  mkdirSync(dirname(join(projectRoot, file)), { recursive: true });
  writeFileSync(join(projectRoot, file), content);
  console.log(`wrote ${file}`);
}
