import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../run-step.ts';

export type ConfigurationKind = 'init' | 'join' | 'reset' | 'upgrade' | 'experimental' | 'general';

/**
 * One input of the recorder: `configurations/NAME.yaml`, in which KUBERNETES_VERSION stands for the Kubernetes
 * version. Comments at its top steer the recorder: `# flags: …` are further flags of the dry run,
 * `# environment: NAME=value …` its environment, `# then: external-ca` a scenario to go on with,
 * `# without: …` steps to leave out.
 */
export type Configuration = {
  readonly name: string;
  readonly kind: ConfigurationKind;
  readonly text: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly scenario?: string;
  /** Names of steps that are left out. */
  readonly without: readonly string[];
};

const directory = join(projectRoot, 'test/golden/kubeadm/testdata/configurations');

/** Where a configuration and its patches lie, as the program sees it. */
export const configurationFolder = '/srv/golden';
export const configurationPath = `${configurationFolder}/kubeadm.yaml`;

/** All configurations, by name. */
export function allConfigurations(): readonly Configuration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) =>
      parseConfiguration(file.slice(0, -5), readFileSync(join(directory, file), 'utf8')),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function parseConfiguration(name: string, text: string): Configuration {
  const words = (key: string) =>
    (new RegExp(`^# ${key}: (.*)$`, 'm').exec(text)?.[1] ?? '').split(' ').filter(Boolean);
  const [scenario] = words('then');
  return {
    name,
    text,
    kind: kindOf(text),
    flags: words('flags'),
    without: words('without'),
    environment: Object.fromEntries(
      words('environment').map((word) => [
        word.split('=')[0] ?? '',
        word.slice(word.indexOf('=') + 1),
      ]),
    ),
    ...(scenario === undefined ? {} : { scenario }),
  };
}

function kindOf(text: string): ConfigurationKind {
  if (/^apiVersion: kubeadm.k8s.io\/v1$/m.test(text)) return 'experimental';
  if (/^kind: JoinConfiguration$/m.test(text)) return 'join';
  if (/^kind: ResetConfiguration$/m.test(text)) return 'reset';
  if (/^kind: UpgradeConfiguration$/m.test(text)) return 'upgrade';
  return /^kind: (?:Init|Cluster)Configuration$/m.test(text) ? 'init' : 'general';
}

/** Puts the configuration and its patches below `root`, where its steps look for them. */
export function placeConfiguration(
  { name, text }: Configuration,
  version: string,
  root: string,
): void {
  mkdirSync(join(root, configurationFolder), { recursive: true });
  writeFileSync(join(root, configurationPath), text.replaceAll('KUBERNETES_VERSION', version));
  const beside = join(directory, name);
  if (existsSync(beside)) cpSync(beside, join(root, configurationFolder), { recursive: true });
}
