import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Phase, phaseName } from './phase.ts';
import { phaseList } from './phase-list.ts';
import { planPhases, type Selection } from './plan.ts';

const tree: readonly Phase<undefined>[] = [
  { name: 'preflight', aliases: ['pre-flight'], description: 'look first' },
  {
    name: 'certs',
    description: 'make certificates',
    phases: [
      { name: 'ca', description: 'the authority' },
      { name: 'apiserver', description: 'the server' },
    ],
  },
  { name: 'token', description: 'make a token' },
  { name: 'secret', description: 'never listed', hidden: true },
  { name: 'tell', description: 'tell it', needs: ['token'] },
];

suite('planPhases', () => {
  const cases: { name: string; given: Selection; want: string }[] = [
    {
      name: 'all of it',
      given: {},
      want: 'preflight certs certs/ca certs/apiserver token secret tell',
    },
    { name: 'a parent alone', given: { only: ['certs'] }, want: 'certs certs/ca certs/apiserver' },
    { name: 'a child alone', given: { only: ['certs', 'ca'] }, want: 'certs/ca' },
    {
      name: 'a skipped child of one parent',
      given: { only: ['certs'], skip: ['certs/ca'] },
      want: 'certs certs/apiserver',
    },
    {
      name: 'skipped by alias',
      given: { skip: ['pre-flight', 'certs', 'secret'] },
      want: 'token tell',
    },
    {
      name: 'an unknown name is refused and the nearest is named',
      given: { skip: ['cert'] },
      want: 'there is no phase "cert"; did you mean certs?',
    },
    {
      name: 'a child without its parent is refused and completed',
      given: { skip: ['apiserver'] },
      want: 'there is no phase "apiserver"; did you mean certs/apiserver?',
    },
    {
      name: 'nothing is near: all names but the hidden ones',
      given: { skip: ['xylophone'] },
      want: 'there is no phase "xylophone"; there are preflight, certs, certs/ca, certs/apiserver, token, tell',
    },
    {
      name: 'a need that is skipped',
      given: { skip: ['token'] },
      want: 'phase tell needs token in the same run: skip it too, or run them',
    },
    {
      name: 'a need that is not selected',
      given: { only: ['tell'] },
      want: 'phase tell needs token in the same run: skip it too, or run them',
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => {
      const plan = planPhases(tree, given);
      const got =
        plan.kind === 'refused'
          ? plan.reason
          : plan.phases.map(({ path }) => phaseName(path)).join(' ');
      assert.equal(got, want);
    });
  }
});

test('help lists what is not hidden, sub-phases below their parents', () => {
  assert.equal(
    phaseList(tree),
    [
      'preflight     look first',
      'certs         make certificates',
      '  /ca         the authority',
      '  /apiserver  the server',
      'token         make a token',
      'tell          tell it',
    ].join('\n'),
  );
});
