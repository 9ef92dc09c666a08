import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { policyInForce } from '@slipway/machineconfig';
import { spec } from '../testkit/configs.ts';
import { createFaultyHost, type Fault } from '../testkit/faulty-host.ts';
import { describeTree } from '../testkit/tree.ts';
import {
  type BenchHost,
  createBenchHost,
  createUpdater,
  managedFolders,
  reopen,
  runUpdate,
} from '../testkit/update-bench.ts';
import type { UpdateResult } from './updater.ts';

const service = (description: string, target: string) =>
  `[Unit]\nDescription=${description}\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n\n[Install]\nWantedBy=${target}\n`;

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR ops';

const oldSpec = spec({
  files: [
    { path: '/etc/chrony.conf', text: 'server old\n' },
    { path: '/etc/old/only.conf', text: 'old only\n' },
    { path: '/etc/motd', text: 'welcome\n' },
  ],
  units: [
    { name: 'ports.service', enabled: true, contents: service('old', 'multi-user.target') },
    { name: 'gone.service', enabled: true, contents: service('gone', 'multi-user.target') },
    { name: 'sshd.service', dropins: [{ name: '10-old.conf', contents: '[Service]\nNice=1\n' }] },
  ],
});

const newSpec = spec({
  files: [
    { path: '/etc/chrony.conf', text: 'server new\n', mode: 0o600 },
    { path: '/etc/new/deep/only.conf', text: 'new only\n', user: 'chrony' },
    { path: '/usr/local/bin/tool.sh', text: '#!/bin/sh\n', mode: 0o755 },
  ],
  units: [
    { name: 'ports.service', enabled: true, contents: service('new', 'network.target') },
    { name: 'crond.service', enabled: true },
    { name: 'containerd.service', mask: true },
    { name: 'sshd.service', dropins: [{ name: '20-new.conf', contents: '[Service]\nNice=2\n' }] },
  ],
  keys: [key],
});

const policy = policyInForce({
  spec: {
    defaultNodeDisruptionPolicySpecAction: {
      files: [{ type: 'None' }],
      units: [
        { type: 'DaemonReload' },
        { type: 'Restart', restart: { serviceName: 'ports.service' } },
      ],
    },
    nodeDisruptionPolicy: {
      files: [
        {
          path: '/etc/chrony.conf',
          actions: [{ type: 'Restart', restart: { serviceName: 'chronyd.service' } }],
        },
      ],
    },
  },
});

let seed: BenchHost;
let oldTree: readonly string[];
let newTree: readonly string[];

const treeOf = (host: BenchHost) => describeTree(host.host, managedFolders);

before(async () => {
  seed = await createBenchHost();
  assert.equal((await runUpdate(seed.host, 'old', oldSpec, { policy })).kind, 'completed');
  oldTree = await treeOf(seed);
  await using updated = await createBenchHost(seed);
  assert.equal((await runUpdate(updated.host, 'new', newSpec, { policy })).kind, 'completed');
  newTree = await treeOf(updated);
});

after(() => seed[Symbol.asyncDispose]());

/** Lines of files and links are old or new; what is neither is a mixture. Temporaries are no managed paths. */
function assertNoMixture(tree: readonly string[], at: string): void {
  const known = new Set([...oldTree, ...newTree]);
  const links = /\.(wants|requires)\//;
  const mixed = tree.filter(
    (line) => !known.has(line) && !line.includes('.slipway-tmp-') && !links.test(line),
  );
  const files = mixed.filter((line) => !line.includes('"type":"directory"'));
  assert.deepEqual(files, [], at);
}

/** Runs the update with one fault; undefined when there were fewer changes than that. */
async function interrupt(
  copy: BenchHost,
  fault: Fault,
  at: number,
): Promise<
  { readonly hit: string; readonly result?: UpdateResult; readonly error?: unknown } | undefined
> {
  const faulty = createFaultyHost(copy.host, fault, at);
  try {
    const result = await runUpdate(faulty.host, 'new', newSpec, { policy });
    const hit = faulty.hit();
    return hit === undefined ? undefined : { hit, result };
  } catch (error) {
    return { hit: faulty.hit() ?? 'nothing', error };
  }
}

/** The next start: goes on, or undoes because the target was withdrawn. */
async function restart(copy: BenchHost, withdraw: boolean): Promise<'none' | UpdateResult> {
  const updater = createUpdater(await reopen(copy));
  const journal = await updater.journal();
  if (journal === undefined) return 'none';
  if (withdraw && journal.phase === 'applying') return updater.undo(journal);
  return updater.resume(journal, () => 'go');
}

async function assertWhole(copy: BenchHost, where: string): Promise<void> {
  const tree = await treeOf(copy);
  const same = JSON.stringify(tree) === JSON.stringify(oldTree) ? oldTree : newTree;
  assert.deepEqual(tree, same, where);
}

async function killAt(fault: Fault, at: number): Promise<boolean> {
  await using copy = await createBenchHost(seed);
  const outcome = await interrupt(copy, fault, at);
  if (outcome === undefined) return false;
  const where = `${at}: ${outcome.hit}`;
  assertNoMixture(await treeOf(copy), where);
  // Both directions are taken at every boundary: after one change is before the next.
  const withdraw = at % 2 === 0;
  const next = await restart(copy, withdraw);
  if (next === 'none') {
    // Either nothing had begun, or all was over.
    await assertWhole(copy, where);
  } else {
    assert.ok(next.kind === 'completed' || next.kind === 'undone', `${where}: ${next.kind}`);
    if (!withdraw) assert.equal(next.kind, 'completed', where);
    assert.deepEqual(await treeOf(copy), next.kind === 'completed' ? newTree : oldTree, where);
  }
  assert.equal(await createUpdater(copy.host).journal(), undefined, where);
  return true;
}

async function failAt(at: number): Promise<boolean> {
  await using copy = await createBenchHost(seed);
  const outcome = await interrupt(copy, 'fail', at);
  if (outcome === undefined) return false;
  const where = `${at}: ${outcome.hit}`;
  const journal = await createUpdater(copy.host).journal();
  if (outcome.result?.kind === 'undone') {
    assert.match(outcome.result.failure?.message ?? '', /EIO/, where);
    assert.deepEqual(await treeOf(copy), oldTree, where);
    assert.equal(journal, undefined, where);
  } else if (journal === undefined) {
    // Before the journal nothing was touched; after it everything was done.
    await assertWhole(copy, where);
  } else {
    assert.equal(outcome.result?.kind, 'stuck', where);
    await restart(copy, false);
    const undone = journal.phase === 'undoing';
    assert.deepEqual(await treeOf(copy), undone ? oldTree : newTree, where);
  }
  return true;
}

/** Changes of the update, some at a time, until there is no such change any more. */
async function sweep(stride: number, attempt: (at: number) => Promise<boolean>): Promise<void> {
  const together = 4;
  for (let at = 0; ; at += together * stride) {
    const tried = Array.from({ length: together }, (_, index) => attempt(at + index * stride));
    if ((await Promise.all(tried)).every((hit) => hit)) continue;
    assert.ok(at > 40, `only ${at} changes were tried`);
    return;
  }
}

// After one change is before the next, so kills overlap; in CI every change is taken in every way.
const everything = process.env['CI'] === 'true';
const stride = everything ? 1 : 9;

describe('an update that is interrupted', () => {
  test('killed before a change: files are whole, the next start completes or undoes', () =>
    sweep(stride, (at) => killAt('kill-before', at)));

  test('killed after a change: files are whole, the next start completes or undoes', () =>
    sweep(stride, (at) => killAt('kill-after', at)));

  test('failing in a change: everything is undone and this failure is reported', () =>
    sweep(stride, failAt));
});
