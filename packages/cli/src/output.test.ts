import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createOutput } from './output.ts';

function terminal(isTTY: boolean) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 10 }), text: () => chunks.join('') };
}

test('on a terminal the picture is drawn over the last one and never wraps', () => {
  const out = terminal(true);
  const output = createOutput(out.stream, out.stream);
  output.redraw(['one', 'two']);
  output.redraw(['0123456789abc']);
  const escaped = JSON.stringify(out.text());
  assert.match(escaped, /u001b\[2A/);
  assert.match(escaped, /012345678…/);
  assert.doesNotMatch(escaped, /9abc/);
});
