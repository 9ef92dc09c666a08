import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { kubeProgram, withoutKubePrograms, withoutNamespaces } from '../test/kit/kube-binaries.ts';
import {
  allConfigurations,
  type Configuration,
  configurationFolder,
  placeConfiguration,
} from './record-kubeadm/configurations.ts';
import { becomeBareMachine, ownNamespaces } from './record-kubeadm/namespace.ts';
import {
  baseConfiguration,
  configurationsOf,
  recordedVersions,
} from './record-kubeadm/recorded-versions.ts';
import {
  type Pieces,
  plain,
  removeOtherRecordings,
  writeRecording,
} from './record-kubeadm/recording.ts';
import { runSteps } from './record-kubeadm/run-steps.ts';

/**
 * `npm run golden -- kubeadm [VERSION…] [NAME…]`: runs the real kubeadm of each recorded version on its
 * configurations of `test/golden/kubeadm/testdata/configurations` and writes what came of it, as data, below
 * `test/golden/kubeadm/testdata/recorded`. Needs root and the programs of `test/kube-binaries`; the test that
 * compares with the recordings needs neither.
 */
const insideFlag = '--inside';

/** The half that runs in namespaces of its own: one configuration, one version, JSON on standard output. */
async function recordInside(version: string, name: string): Promise<void> {
  const configuration = allConfigurations().find((each) => each.name === name);
  if (configuration === undefined) throw new Error(`no configuration ${name}`);
  becomeBareMachine();
  placeConfiguration(configuration, version, '/');
  const pieces = await runSteps(configuration, '/', (argv, environment) => {
    const result = spawnSync(kubeProgram('kubeadm', version), argv, {
      encoding: 'utf8',
      cwd: configurationFolder,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/nonexistent', ...environment },
      timeout: 120_000,
    });
    if (result.error !== undefined) throw result.error;
    if (result.status !== 0)
      process.stderr.write(`  ${argv.join(' ')}: ${result.status}\n${lastLines(result.stderr)}\n`);
    return { code: result.status ?? -1, stdout: result.stdout };
  });
  process.stdout.write(JSON.stringify(plain(pieces)));
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-3).join('\n');
}

function record(version: string, configuration: Configuration): void {
  const [unshare = '', ...namespaces] = ownNamespaces;
  const self = [fileURLToPath(import.meta.url), insideFlag, version, configuration.name];
  const result = spawnSync(unshare, [...namespaces, process.execPath, ...self], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) throw new Error(`record ${configuration.name}: exit ${result.status}`);
  writeRecording(version, configuration.name, JSON.parse(result.stdout) as Pieces);
}

function recordAll(words: readonly string[]): void {
  const versions = recordedVersions.filter((version) => words.includes(version));
  const names = words.filter((word) => !recordedVersions.includes(word));
  for (const version of versions.length === 0 ? recordedVersions : versions) {
    const reason = withoutNamespaces() || withoutKubePrograms(['kubeadm'], version);
    if (reason !== false) throw new Error(reason);
    const all = configurationsOf(version);
    const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name));
    // The base first: the others leave equal pieces to it.
    const ordered = [...chosen].sort((a, b) => Number(isBase(b)) - Number(isBase(a)));
    for (const configuration of ordered) {
      console.log(`${version} ${configuration.name}`);
      record(version, configuration);
    }
    removeOtherRecordings(
      version,
      all.map(({ name }) => name),
    );
  }
}

function isBase({ name }: Configuration): boolean {
  return name === baseConfiguration;
}

const [first, version = '', name = ''] = process.argv.slice(2);
if (first === insideFlag) await recordInside(version, name);
else recordAll(process.argv.slice(2));
