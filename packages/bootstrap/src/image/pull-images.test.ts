import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pullImages } from './pull-images.ts';

/** A runtime that has a registry with some images, and what it was asked for. */
function runtimeWith(registry: readonly string[]) {
  const pulled: string[] = [];
  return {
    pulled,
    conditions: async () => [],
    pullImage: async (image: string) => {
      pulled.push(image);
      if (!registry.includes(image)) throw new Error('not found');
    },
  };
}

function recorder() {
  const lines: string[] = [];
  const note = (text = '') => void lines.push(text);
  return { lines, line: note, problem: note, phase: (_: string, text: string) => note(text) };
}

suite('pullImages', () => {
  test('pulls each image in order and tells it', async () => {
    const runtime = runtimeWith(['a:1', 'b:2']);
    const reporter = recorder();
    await pullImages(['a:1', 'b:2'], runtime, reporter);
    assert.deepEqual(runtime.pulled, ['a:1', 'b:2']);
    assert.deepEqual(reporter.lines, ['pulled a:1', 'pulled b:2']);
  });

  test('goes on after an image that is missing, and names all of them', async () => {
    const runtime = runtimeWith(['b:2']);
    await assert.rejects(pullImages(['a:1', 'b:2', 'c:3'], runtime, recorder()), {
      code: 'bootstrap.images.pull',
      message: /a:1, c:3/,
    });
    assert.deepEqual(runtime.pulled, ['a:1', 'b:2', 'c:3']);
  });

  test('a runtime that does not answer is asked for nothing else', async () => {
    const runtime = runtimeWith([]);
    const silent = { ...runtime, conditions: () => Promise.reject(new Error('nobody there')) };
    await assert.rejects(pullImages(['a:1'], silent, recorder()), /nobody there/);
    assert.deepEqual(runtime.pulled, []);
  });
});
