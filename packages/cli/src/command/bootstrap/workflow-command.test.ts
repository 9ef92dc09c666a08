import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Phase } from '@slipway/bootstrap';
import { Command } from 'commander';
import { argumentWords } from '../argument-words.ts';
import { addWorkflow, type WorkflowCall } from './workflow-command.ts';

const phases: readonly Phase<undefined>[] = [
  { name: 'preflight', description: 'look', flags: ['ignore-preflight-errors', 'discovery-file'] },
  {
    name: 'upload-config',
    aliases: ['uploadconfig'],
    description: 'publish',
    allFlags: ['kubeconfig'],
    phases: [
      { name: 'kubeadm', description: 'one', flags: ['kubeconfig'] },
      { name: 'secret', description: 'never', hidden: true },
    ],
  },
];

async function call(...argv: string[]): Promise<WorkflowCall> {
  const calls: WorkflowCall[] = [];
  const program = new Command('slipway')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  addWorkflow(program, {
    name: 'join',
    description: 'join',
    word: '[api-server-endpoint]',
    flags: ['token', 'dry-run', 'control-plane', 'ignore-preflight-errors', 'apiserver-bind-port'],
    phases,
    run: async (given) => void calls.push(given),
  });
  const inherit = (command: Command) => {
    for (const child of command.commands) inherit(child.copyInheritedSettings(command));
  };
  inherit(program);
  await program.parseAsync(argumentWords(program, argv), { from: 'user' });
  const [only] = calls;
  assert.ok(only !== undefined, 'no command ran');
  return only;
}

suite('addWorkflow', () => {
  const cases = [
    {
      name: 'the whole workflow with its word',
      given: ['join', '10.0.0.1:6443', '--token', 'a.b'],
      want: { flags: { token: 'a.b' }, words: ['10.0.0.1:6443'], selection: {} },
    },
    {
      name: 'lists repeat and take commas',
      given: ['join', '--skip-phases', 'a,b/c', '--skip-phases=d'],
      want: {
        flags: { 'skip-phases': ['a', 'b/c', 'd'] },
        words: [],
        selection: { skip: ['a', 'b/c', 'd'] },
      },
    },
    {
      name: 'switches with a value',
      given: ['join', '--dry-run=false', '--control-plane=true', '10.0.0.1:6443'],
      want: {
        flags: { 'dry-run': false, 'control-plane': true },
        words: ['10.0.0.1:6443'],
        selection: {},
      },
    },
    {
      name: 'a number and the level of detail',
      given: ['join', '--apiserver-bind-port', '7443', '-v=5', '--rootfs', '/srv'],
      want: {
        flags: { 'apiserver-bind-port': 7443, v: 5, rootfs: '/srv' },
        words: [],
        selection: {},
      },
    },
    {
      name: 'a phase',
      given: ['join', 'phase', 'preflight', 'here:1', '--ignore-preflight-errors', 'all'],
      want: {
        flags: { 'ignore-preflight-errors': ['all'] },
        words: ['here:1'],
        selection: { only: ['preflight'] },
      },
    },
    {
      name: 'all of a parent, by its alias',
      given: ['join', 'phase', 'uploadconfig', 'all', '--kubeconfig', 'x'],
      want: { flags: { kubeconfig: 'x' }, words: [], selection: { only: ['upload-config'] } },
    },
    {
      name: 'a sub-phase',
      given: ['join', 'phase', 'upload-config', 'kubeadm'],
      want: { flags: {}, words: [], selection: { only: ['upload-config', 'kubeadm'] } },
    },
  ];
  for (const { name, given, want } of cases) {
    test(name, async () => {
      const { known: _, ...got } = await call(...given);
      assert.deepEqual(got, want);
    });
  }

  const refused = [
    { name: 'an unknown flag names the nearest', given: ['join', '--tokn', 'x'], want: /--token/ },
    {
      name: 'a flag of another phase',
      given: ['join', 'phase', 'preflight', '--token', 'x'],
      want: /--token/,
    },
    { name: 'too many words', given: ['join', 'a', 'b'], want: /too many arguments/ },
    { name: 'no number', given: ['join', '--apiserver-bind-port', 'x'], want: /whole number/ },
    { name: 'a hidden phase', given: ['join', 'phase', 'upload-config', 'secret'], want: /secret/ },
  ];
  for (const { name, given, want } of refused)
    test(name, () => assert.rejects(call(...given), want));
});
