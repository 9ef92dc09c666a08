import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { issueCode } from './errors.ts';
import { explainableCodes, explainCode } from './explain-code.ts';

suite('explaining codes', () => {
  test('every code of this room and of Ignition has reason and fix', () => {
    const codes = explainableCodes();
    for (const code of Object.values(issueCode)) assert.ok(codes.includes(code));
    for (const code of codes) {
      const explanation = explainCode(code);
      assert.equal(explanation.kind, 'known');
      assert.match(explanation.text, /^[^\n]+\n\n[\s\S]+\n\nFix: [\s\S]+\.\n$/, code);
    }
  });

  const rows = [
    { given: 'mode-special-bits', want: 'known' },
    { given: 'Ignition.Mode-Special-Bits', want: 'known' },
    { given: 'ignition.mode-specal-bits', want: 'ignition.mode-special-bits' },
    { given: 'path-relativ', want: 'ignition.path-relative' },
    { given: 'disruption.inert', want: 'disruption.file.inert' },
    { given: 'mode-specal', want: 'ignition.mode-special-bits' },
    { given: 'inert', want: 'disruption.file.inert' },
    { given: 'qqqqqqqqqqqqqqqqqqqqqqq', want: undefined },
    { given: '', want: undefined },
  ];
  for (const { given, want } of rows)
    test(`${JSON.stringify(given)} gives ${want ?? 'nothing'}`, () => {
      const explanation = explainCode(given);
      assert.equal(explanation.kind === 'known' ? 'known' : explanation.nearest, want);
    });
});
