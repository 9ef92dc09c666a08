import { readFileSync } from 'node:fs';
import { mutate } from './fuzz/mutate.ts';
import { Random } from './fuzz/random.ts';
import { type FuzzTarget, targets } from './fuzz/targets.ts';

type Figure = { readonly name: string; readonly value: number; readonly unit: string };

export type FuzzSeed = { readonly target: FuzzTarget; readonly text: string };

export type FuzzOptions = {
  /** How many inputs to try. */
  readonly inputs: number;
  /** Inputs to start from; a mutated one is tried by its own target. */
  readonly seeds: readonly FuzzSeed[];
  /** Same number, same run. */
  readonly randomSeed: number;
};

export type FuzzReport = {
  readonly inputs: number;
  /** How many inputs were accepted: a run that accepts nothing tests only refusals. */
  readonly accepted: number;
  readonly slowestMs: number;
  /** Inputs that crashed, took more than a second, or were accepted and refused later. */
  readonly failures: readonly { readonly text: string; readonly reason: string }[];
};

const maxFailures = 10;
const hangMs = 1000;

/** Tries mutations of the seeds: no crash, no hang, and nothing accepted that a later stage refuses. */
export function fuzz(options: FuzzOptions): FuzzReport {
  const random = new Random(options.randomSeed);
  const failures: { text: string; reason: string }[] = [];
  let accepted = 0;
  let slowestMs = 0;
  let inputs = 0;
  while (inputs < options.inputs && failures.length < maxFailures) {
    const seed = random.pick(options.seeds);
    const other = random.pick(options.seeds);
    const text = mutate(seed.text, other.text, random);
    inputs += 1;
    const start = performance.now();
    try {
      if (targets[seed.target](text)) accepted += 1;
    } catch (error) {
      failures.push({ text, reason: error instanceof Error ? error.message : String(error) });
    }
    const elapsed = performance.now() - start;
    slowestMs = Math.max(slowestMs, elapsed);
    if (elapsed > hangMs) failures.push({ text, reason: `took ${Math.round(elapsed)} ms` });
  }
  return { inputs, accepted, slowestMs, failures };
}

const config = {
  ignition: { version: '3.4.0' },
  storage: {
    files: [
      {
        path: '/etc/a.conf',
        mode: 420,
        overwrite: true,
        user: { name: 'root' },
        contents: {
          source: 'data:;base64,H4sIAAAAAAAC/8tIzcnJVyjPL8pJ4QIALTsIrwwAAAA=',
          compression: 'gzip',
        },
      },
      { path: '/etc/b.conf', group: { id: 7 }, contents: { source: 'data:,a%20b' } },
    ],
  },
  systemd: {
    units: [
      {
        name: 'a.service',
        enabled: true,
        contents: '[Service]\nExecStart=/bin/a \\\n  b\n[Install]\nWantedBy=multi-user.target\n',
        dropins: [{ name: '10-x.conf', contents: '[Service]\nRestart=always\n' }],
      },
    ],
  },
  passwd: { users: [{ name: 'boot', sshAuthorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 x'] }] },
};

/** Seeds beside the conformance cases: what those have no text of. */
export const builtInSeeds: readonly FuzzSeed[] = [
  { target: 'json', text: JSON.stringify(config) },
  { target: 'json', text: JSON.stringify(config, undefined, 1) },
  {
    target: 'json',
    text: '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/etc/a"}]}}',
  },
  {
    target: 'yaml',
    text: 'ignition: {version: 3.4.0}\nstorage:\n  files:\n    - &f\n      path: /etc/x\n      mode: 0644\n    - <<: *f\n      path: /etc/y\n      contents:\n        source: >-\n          data:,x\n---\n# none\n',
  },
  { target: 'unit', text: config.systemd.units[0]?.contents ?? '' },
  { target: 'dataUrl', text: 'data:text/plain;charset="utf-8";a=b;base64,aGVsbG8=' },
  { target: 'dataUrl', text: 'data:,a%20b,c' },
  { target: 'gzip', text: '1f8b0800000000000203cb48cdc9c95728cf2fca49e102002d3b08af0c000000' },
];

type Case = { readonly op: string; readonly inputKind: string; readonly input: unknown };

const targetOfOperation: Readonly<Record<string, FuzzTarget>> = {
  parse: 'json',
  'parse-compat': 'json',
  dataurl: 'dataUrl',
  unit: 'unit',
};

/** The conformance cases as inputs to start from.  */
export function caseSeeds(): readonly FuzzSeed[] {
  const file = new URL('../testdata/cases.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] };
  return cases.flatMap(({ op, inputKind, input }): FuzzSeed[] => {
    const target = targetOfOperation[op];
    if (target === undefined || inputKind === 'pieces') return [];
    return [{ target, text: inputKind === 'json' ? JSON.stringify(input) : String(input) }];
  });
}

const benchInputs = 1_000_000;

/** A million mutations of the conformance cases and the built-in seeds; throws when one of them fails. */
export function bench(): readonly Figure[] {
  const start = performance.now();
  const seeds = [...caseSeeds(), ...builtInSeeds];
  const report = fuzz({ inputs: benchInputs, seeds, randomSeed: 1 });
  const [failure] = report.failures;
  if (failure !== undefined) {
    throw new Error(`fuzz ignition: ${failure.reason}: ${JSON.stringify(failure.text)}`);
  }
  const seconds = (performance.now() - start) / 1000;
  return [
    { name: 'fuzz.ignition_inputs', value: report.inputs, unit: '1' },
    { name: 'fuzz.ignition_seeds', value: seeds.length, unit: '1' },
    { name: 'fuzz.ignition_per_s', value: Math.round(report.inputs / seconds), unit: '1/s' },
    { name: 'fuzz.ignition_slowest_ms', value: Number(report.slowestMs.toFixed(1)), unit: 'ms' },
  ];
}
