import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NodeContract } from '@slipway/api';
import { type Decision, decide, isBlockedByDrift, type Situation } from './decide.ts';

const contract = (desired?: string): NodeContract => ({
  state: { kind: 'unknown' },
  drainInForce: false,
  priorCordon: false,
  ...(desired === undefined ? {} : { desired }),
});

const situation = (change: Partial<Situation> = {}): Situation => ({
  contract: contract('new'),
  bootId: 'boot-2',
  forced: false,
  findings: [],
  rebootLoop: false,
  ...change,
});

const finding = { path: '/etc/a', kind: 'content' } as const;
const failure = { code: 'daemon.write-failed', message: 'write /etc/a: EIO' };
const failed = { config: 'new', failure, held: false, forced: false, waitMs: 500 };
const journal = { phase: 'applying', to: 'new', forced: false } as const;

type Case = { readonly name: string; readonly given: Partial<Situation>; readonly want: Decision };

const cases: readonly Case[] = [
  { name: 'never targeted', given: { contract: contract() }, want: { kind: 'wait' } },
  { name: 'adoption', given: {}, want: { kind: 'update', to: 'new', forced: false } },
  {
    name: 'another target',
    given: { current: 'old' },
    want: { kind: 'update', to: 'new', forced: false },
  },
  { name: 'at the target', given: { current: 'new' }, want: { kind: 'settled', current: 'new' } },
  {
    name: 'the target went, what is there stays',
    given: { contract: contract(), current: 'old' },
    want: { kind: 'settled', current: 'old' },
  },
  {
    name: 'drifted',
    given: { current: 'new', findings: [finding] },
    want: { kind: 'drifted', findings: [finding] },
  },
  {
    name: 'forced on a drifted node',
    given: { current: 'new', findings: [finding], forced: true },
    want: { kind: 'update', to: 'new', forced: true },
  },
  {
    name: 'forced on a healthy node',
    given: { current: 'new', forced: true },
    want: { kind: 'update', to: 'new', forced: true },
  },
  {
    name: 'failed and waiting',
    given: { current: 'old', failed },
    want: { kind: 'failed', failure, waitMs: 500, held: false },
  },
  {
    name: 'failed and due',
    given: { current: 'old', failed: { ...failed, waitMs: 0 } },
    want: { kind: 'update', to: 'new', forced: false },
  },
  {
    name: 'failed for good',
    given: { current: 'old', failed: { ...failed, waitMs: 0, held: true } },
    want: { kind: 'failed', failure, waitMs: 0, held: true },
  },
  {
    name: 'failed for good, then forced',
    given: { current: 'old', failed: { ...failed, waitMs: 0, held: true }, forced: true },
    want: { kind: 'update', to: 'new', forced: true },
  },
  {
    name: 'failed while forced',
    given: { current: 'new', failed: { ...failed, forced: true }, forced: true },
    want: { kind: 'failed', failure, waitMs: 500, held: false },
  },
  {
    name: 'another target failed',
    given: { current: 'old', failed: { ...failed, config: 'bad' } },
    want: { kind: 'update', to: 'new', forced: false },
  },
  {
    name: 'back at what it has after a failure',
    given: { current: 'new', failed },
    want: { kind: 'settled', current: 'new' },
  },
  { name: 'interrupted', given: { journal }, want: { kind: 'resume' } },
  {
    name: 'interrupted and retargeted',
    given: { journal: { ...journal, to: 'bad' } },
    want: { kind: 'abandon' },
  },
  {
    name: 'undoing, whatever the target',
    given: { journal: { ...journal, phase: 'undoing', to: 'bad' } },
    want: { kind: 'resume' },
  },
  {
    name: 'finishing is not taken back',
    given: { journal: { ...journal, phase: 'finishing', to: 'bad' } },
    want: { kind: 'resume' },
  },
  {
    name: 'back after the reboot',
    given: { journal: { ...journal, phase: 'rebooting', bootId: 'boot-1' } },
    want: { kind: 'complete-after-boot' },
  },
  {
    name: 'back after the reboot with another target',
    given: { journal: { ...journal, phase: 'rebooting', bootId: 'boot-1', to: 'bad' } },
    want: { kind: 'complete-after-boot' },
  },
  {
    name: 'the reboot has not come',
    given: { journal: { ...journal, phase: 'rebooting', bootId: 'boot-2' } },
    want: { kind: 'reboot-again' },
  },
  {
    name: 'the reboot has not come and is not wanted any more',
    given: { journal: { ...journal, phase: 'rebooting', bootId: 'boot-2', to: 'bad' } },
    want: { kind: 'abandon' },
  },
  {
    name: 'one reboot too many',
    given: { journal: { ...journal, phase: 'rebooting', bootId: 'boot-2' }, rebootLoop: true },
    want: { kind: 'give-up-reboot' },
  },
];

describe('decide', () => {
  for (const { name, given, want } of cases) {
    test(name, () => assert.deepEqual(decide(situation(given)), want));
  }
});

test('drift blocks an update unless the update touches every drifted path', () => {
  const findings = [finding, { path: '/etc/b', kind: 'mode' } as const];
  assert.equal(isBlockedByDrift(findings, new Set(['/etc/a'])), true);
  assert.equal(isBlockedByDrift(findings, new Set(['/etc/a', '/etc/b'])), false);
  assert.equal(isBlockedByDrift([], new Set()), false);
});
