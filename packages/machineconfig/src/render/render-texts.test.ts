import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { machineConfigurationApiVersion, roleLabel } from '@slipway/api';
import { readText } from '../document/read-text.ts';
import { explainRendering } from './explain-rendering.ts';
import { renderTexts } from './render-texts.ts';

function config(name: string, role: string, files: readonly object[] = [], more = {}): string {
  return `${JSON.stringify({
    apiVersion: machineConfigurationApiVersion,
    kind: 'MachineConfig',
    metadata: { name, labels: { [roleLabel]: role } },
    spec: { config: { ignition: { version: '3.4.0' }, storage: { files } }, ...more },
  })}\n`;
}

function text(file: string, ...parts: readonly string[]) {
  const { objects, issues } = readText(parts.join(''));
  assert.deepEqual(issues, []);
  return { file, objects };
}

const file = (path: string, source: string, mode?: number) => ({
  path,
  ...(mode === undefined ? {} : { mode }),
  contents: { source: `data:,${source}` },
});

suite('rendering from files', () => {
  test('what an installation creates is there; a custom role inherits worker', () => {
    const outcome = renderTexts('infra', [
      text(
        'a.json',
        config('50-infra', 'infra'),
        config('99-worker', 'worker'),
        config('z', 'gpu'),
      ),
    ]);
    assert.equal(outcome.kind, 'rendered');
    assert.deepEqual(outcome.rendered.sources, ['00-worker', '99-worker', '50-infra']);
    assert.deepEqual(outcome.unselected, ['z']);
    assert.equal(outcome.object.metadata?.name, outcome.rendered.name);
  });

  test('a file that has 00-worker replaces the installed one', () => {
    const own = config('00-worker', 'worker', [file('/etc/a', 'x')]);
    const outcome = renderTexts('worker', [text('a.json', own)]);
    assert.equal(outcome.kind, 'rendered');
    assert.deepEqual(outcome.rendered.sources, ['00-worker']);
    assert.equal(outcome.rendered.host.ignition.files.length, 1);
  });

  test('the same name twice is refused, and both places are told', () => {
    const outcome = renderTexts('worker', [
      text('a.json', config('10-a', 'worker')),
      text('b.json', '\n', config('10-a', 'worker')),
    ]);
    assert.equal(outcome.kind, 'refused');
    const [finding] = outcome.findings;
    assert.equal(`${finding?.file}:${finding?.line}:${finding?.column}`, 'b.json:2:99');
    assert.match(finding?.message ?? '', /the first is at a\.json:1:99/);
  });

  test('a conflict between files is told where it is written', () => {
    const outcome = renderTexts('worker', [
      text('a.json', config('10-a', 'worker', [file('/etc/a', 'x')])),
      text('b.json', config('20-b', 'worker', [file('/etc/a/b', 'x')])),
    ]);
    assert.equal(outcome.kind, 'refused');
    const [finding] = outcome.findings;
    assert.match(`${finding?.file}:${finding?.line}`, /^[ab]\.json:1$/);
  });

  test('who won, and over whom', () => {
    const outcome = renderTexts('worker', [
      text(
        'a.json',
        config('10-a', 'worker', [file('/etc/a', 'x', 0o600)], { kernelArguments: ['quiet'] }),
        config('20-b', 'worker', [file('/etc/a', 'y')]),
        config('30-c', 'worker', [file('/etc/a', 'z')]),
      ),
    ]);
    assert.equal(outcome.kind, 'rendered');
    const lines = explainRendering(outcome.rendered, (source) => outcome.placeOf(source));
    assert.deepEqual(lines.slice(1), [
      '  1. 00-worker (as installed)',
      '  2. 10-a (a.json:1:1)',
      '  3. 20-b (a.json:2:1)',
      '  4. 30-c (a.json:3:1)',
      'values:',
      '  ignition.version: 30-c (a.json:3:1)',
      '  storage.files["/etc/a"].path: 30-c (a.json:3:1)',
      '  storage.files["/etc/a"].mode: 10-a (a.json:1:1)',
      '  storage.files["/etc/a"].contents: 30-c (a.json:3:1), which overrides 20-b (a.json:2:1), then 10-a (a.json:1:1)',
      '  kernelArguments, joined: quiet',
    ]);
  });
});
