import { writeSync } from 'node:fs';
import { systemClock } from '@slipway/base';
import { Store } from '../store.ts';

/** Writes objects for ever, several at a time, and says which ones are acknowledged. */
const [, , path = '', round = ''] = process.argv;
const store = new Store({ path, clock: systemClock });

async function write(name: string): Promise<void> {
  const body = (revision: number) => JSON.stringify({ name, revision, filler: 'x'.repeat(2000) });
  const record = await store.write({ resource: '/things', namespace: '', name, expected: undefined, body });
  writeSync(1, `${name} ${record.revision}.\n`);
}

async function writeAll(lane: number): Promise<void> {
  for (let index = 0; ; index += 1) await write(`r${round}-l${lane}-${index}`);
}

await Promise.all([0, 1, 2].map((lane) => writeAll(lane)));
