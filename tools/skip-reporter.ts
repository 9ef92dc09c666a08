import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { projectRoot } from './run-step.ts';

/** A reporter of node:test that prints only what was skipped: `file: name: reason`. */
async function* reportSkipped(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:pass') continue;
    const { skip, name, file } = event.data;
    if (skip === undefined || skip === false) continue;
    const where = file === undefined ? '' : `${relative(projectRoot, file)}: `;
    yield `${where}${name}: ${typeof skip === 'string' ? skip : 'no reason given'}\n`;
  }
}

// biome-ignore lint/style/noDefaultExport: node:test loads a reporter's default export
export default reportSkipped;
