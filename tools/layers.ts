/** What a room may import, and which third-party packages are its own. The design's room table as data. */
export type Layer = {
  readonly imports: readonly string[];
  readonly thirdParty: readonly string[];
  /** No Node modules: the room runs in a browser. */
  readonly browserSafe?: true;
};

/** One row per room, lowest first. A new row or a new import needs an ADR. */
export const layers: Readonly<Record<string, Layer>> = {
  base: { imports: [], thirdParty: [], browserSafe: true },
  api: { imports: ['base'], thirdParty: [], browserSafe: true },
  ignition: { imports: ['base'], thirdParty: ['yaml'], browserSafe: true },
  machineconfig: { imports: ['base', 'api', 'ignition'], thirdParty: [], browserSafe: true },
  pki: { imports: ['base'], thirdParty: ['@peculiar/x509', 'reflect-metadata'] },
  kube: { imports: ['base', 'api'], thirdParty: [] },
  host: { imports: ['base'], thirdParty: [] },
  apiserver: {
    imports: ['base', 'api', 'pki'],
    thirdParty: ['@bufbuild/cel', '@bufbuild/cel-spec', '@bufbuild/protobuf', 'rfc6902', 'yaml'],
  },
  bootstrap: {
    imports: ['base', 'api', 'pki', 'kube', 'host'],
    thirdParty: ['yaml', 'rfc6902'],
  },
  operator: {
    imports: ['base', 'api', 'ignition', 'machineconfig', 'kube', 'pki'],
    thirdParty: [],
  },
  daemon: { imports: ['base', 'api', 'ignition', 'machineconfig', 'kube', 'host'], thirdParty: [] },
  cli: {
    imports: [
      'base',
      'api',
      'ignition',
      'machineconfig',
      'pki',
      'kube',
      'host',
      'apiserver',
      'bootstrap',
      'operator',
      'daemon',
    ],
    thirdParty: ['commander', 'yaml'],
  },
};

/** Which files there may be, outside testdata. A source file that no pattern covers is an error. */
export const covered: readonly RegExp[] = [
  /^packages\/[a-z]+\/src\/(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.(?:test|property\.test|bench))?\.ts$/,
  /^test\/(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.(?:test|property\.test|host-test|bench))?\.ts$/,
  /^tools\/(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:ts|go|mod|sum)$/,
  // The real Kubernetes programs, built for tests.
  /^test\/kube-binaries\/(?:[a-z0-9.-]+\/)*[a-z0-9-]+\.go$/,
];

/** Words that say nothing: banned in names of files and of exported things. */
export const bannedWords: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'shared',
  'manager',
  'impl',
];

/** Names of the field that have such a word in them. */
export const fieldNames = /controller-?manager/gi;

/** Files that decide and touch nothing. */
export const pureFile = /(?:^|\/)(?:plan|decide|compare|manifest)\.ts$/;

/** One writer per thing: where a pattern may stand, by path. Tests are exempt. */
export const soleWriters: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly allowed: RegExp;
}[] = [
  {
    what: 'process.exit and process.env',
    pattern: /\bprocess\.(?:exit\(|env\b)/,
    allowed: /^packages\/cli\/src\/main\.ts$/,
  },
  {
    what: 'spelling a node annotation',
    pattern:
      /alauda\.io\/(?:currentConfig|desiredConfig|state|reason|desiredDrain|lastAppliedDrain|priorCordon)\b/,
    allowed: /^packages\/api\/src\/node-contract\.ts$/,
  },
  {
    what: 'a synchronous SQLite handle',
    pattern: /\bnew DatabaseSync\(/,
    allowed: /^packages\/apiserver\/src\/storage\//,
  },
  {
    what: 'running a program through a shell',
    pattern: /\bshell: *true\b|\bexecSync\(|[^.\w]exec\(/,
    allowed: /^$/,
  },
];

/** Lines per file: reported above `report`, refused above `refuse`. Tests and tables of facts are exempt. */
export const fileLines = { report: 300, refuse: 400 } as const;
