import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasFormat } from './formats.ts';
import { compilePattern } from './pattern.ts';

suite('formats', () => {
  const cases: { format: string; good: string[]; bad: string[] }[] = [
    { format: 'ipv4', good: ['10.0.0.1'], bad: ['10.0.0.256', '::1', ''] },
    { format: 'ipv6', good: ['::1', 'fe80::1'], bad: ['10.0.0.1', ':::'] },
    { format: 'cidr', good: ['10.0.0.0/8', 'fd00::/64'], bad: ['10.0.0.0', '10.0.0.0/33'] },
    { format: 'date', good: ['2026-02-28'], bad: ['2026-02-30', '2026-2-1'] },
    {
      format: 'date-time',
      good: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'],
      bad: ['2026-01-01', '2026-13-01T00:00:00Z'],
    },
    { format: 'duration', good: ['1h30m', '5s', '0', '1.5h'], bad: ['1', '1d', ''] },
    { format: 'uuid', good: ['6f1e3d0a-1c2b-4d3e-8f90-0123456789ab'], bad: ['6f1e'] },
    { format: 'hostname', good: ['a.example.com'], bad: ['-a', 'a_b', ''] },
    { format: 'byte', good: ['', 'YWJj'], bad: ['YWJ', '***'] },
    { format: 'uri', good: ['https://x/y', '/a'], bad: ['no uri'] },
    { format: 'mac', good: ['00:11:22:33:44:55'], bad: ['00:11'] },
    { format: 'unheard-of', good: ['anything'], bad: [] },
  ];
  for (const { format, good, bad } of cases) {
    test(format, () => {
      for (const value of good) assert.ok(hasFormat(value, format), value);
      for (const value of bad) assert.ok(!hasFormat(value, format), value);
    });
  }
});

suite('patterns', () => {
  const cases: { pattern: string; good: string[]; bad: string[] }[] = [
    { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', good: ['a-b'], bad: ['a-'] },
    { pattern: '(?i)^yes$', good: ['YES'], bad: ['no'] },
    { pattern: '^[[:alpha:]]+\\z', good: ['Ab'], bad: ['a1'] },
    { pattern: '^(?P<name>x)\\-y$', good: ['x-y'], bad: ['xy'] },
    { pattern: '^\\p{L}+$', good: ['é'], bad: ['1'] },
  ];
  for (const { pattern, good, bad } of cases) {
    test(pattern, () => {
      for (const value of good) assert.ok(compilePattern(pattern).test(value), value);
      for (const value of bad) assert.ok(!compilePattern(pattern).test(value), value);
    });
  }
  for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', '[', '(']) {
    test(`refused: ${pattern}`, () => assert.throws(() => compilePattern(pattern), SyntaxError));
  }
});
