import { type Command, Option } from 'commander';
import { collect, wholeNumber, withMachineFlags, withSwitches } from '../command-flags.ts';

/** A flag as kubeadm spells it; `list` may be repeated and takes commas, `switch` takes no value. */
export type WorkflowFlag = {
  readonly name: string;
  readonly kind: 'text' | 'list' | 'number' | 'switch';
  /** Placeholder of the value in help. */
  readonly value?: string;
  readonly description: string;
  /** One letter. */
  readonly short?: string;
};

/** Values of flags by their names; a flag that was not given is absent. */
export type FlagValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const text = (name: string, value: string, description: string): WorkflowFlag => ({
  name,
  kind: 'text',
  value,
  description,
});
const list = (name: string, value: string, description: string): WorkflowFlag => ({
  name,
  kind: 'list',
  value,
  description,
});
const onOff = (name: string, description: string): WorkflowFlag => ({
  name,
  kind: 'switch',
  description,
});

/** Every flag of `init`, `join`, `reset` and of their phases. */
const catalogue: readonly WorkflowFlag[] = [
  text(
    'apiserver-advertise-address',
    'address',
    'address that the API server of this node is reached at',
  ),
  {
    name: 'apiserver-bind-port',
    kind: 'number',
    value: 'port',
    description: 'port that the API server of this node listens on (default: 6443)',
  },
  list(
    'apiserver-cert-extra-sans',
    'names',
    'further names and addresses for the certificate of the API server',
  ),
  list('apiserver-extra-args', 'flags', 'name=value flags for the API server'),
  text('cert-dir', 'directory', 'where certificates are kept (default: /etc/kubernetes/pki)'),
  text('certificate-key', 'key', 'key of uploaded certificates: 64 hex digits'),
  onOff('cleanup-tmp-dir', 'empty /etc/kubernetes/tmp as well'),
  text('config', 'file', 'configuration file'),
  onOff('control-plane', 'make this node a control plane'),
  text(
    'control-plane-endpoint',
    'endpoint',
    'name or address that all nodes reach the API at, with port or without',
  ),
  list('controller-manager-extra-args', 'flags', 'name=value flags for the controller manager'),
  text('cri-socket', 'path', 'socket of the container runtime (default: the one that there is)'),
  text(
    'discovery-file',
    'file',
    'file or https address of a kubeconfig to discover the cluster with',
  ),
  text('discovery-token', 'token', 'token to discover the cluster with'),
  list(
    'discovery-token-ca-cert-hash',
    'pins',
    'pin of the authority of the cluster: sha256:<64 hex digits>',
  ),
  onOff('discovery-token-unsafe-skip-ca-verification', 'believe any cluster that knows the token'),
  onOff('dry-run', 'change nothing; print what would be done'),
  list('feature-gates', 'gates', 'Name=true|false, separated by commas'),
  { ...onOff('force', 'do not ask for confirmation'), short: 'f' },
  list('ignore-preflight-errors', 'checks', 'checks whose errors are warnings; all: every check'),
  text('image-repository', 'repository', 'where images are pulled from (default: registry.k8s.io)'),
  text(
    'kubeconfig',
    'file',
    'kubeconfig to talk to the cluster with (default: /etc/kubernetes/admin.conf)',
  ),
  text('kubeconfig-dir', 'directory', 'where kubeconfigs are written (default: /etc/kubernetes)'),
  text(
    'kubernetes-version',
    'version',
    'version of the control plane (default: the newest that is known)',
  ),
  text(
    'node-ip',
    'address',
    'address, range or interface of this node: for its API server, kubelet and etcd',
  ),
  text('node-name', 'name', 'name of the Node (default: the host name)'),
  text('patches', 'directory', 'directory with patches: target[suffix][+type].yaml|json'),
  text('pod-network-cidr', 'range', 'addresses of pods; given, each node gets a part of it'),
  onOff('print-manifest', 'print the objects instead of applying them'),
  list('scheduler-extra-args', 'flags', 'name=value flags for the scheduler'),
  text('service-cidr', 'range', 'addresses of services (default: 10.96.0.0/12)'),
  text('service-dns-domain', 'domain', 'domain of services (default: cluster.local)'),
  onOff('skip-certificate-key-print', 'do not print the key of uploaded certificates'),
  list('skip-phases', 'phases', 'phases to leave out: parent, or parent/child'),
  onOff('skip-token-print', 'do not print the token that nodes join with'),
  text('tls-bootstrap-token', 'token', 'token to ask for the certificate of the node with'),
  text('token', 'token', 'token that nodes join with: [a-z0-9]{6}.[a-z0-9]{16}'),
  text('token-ttl', 'duration', 'how long the token is good for; 0: for ever (default: 24h0m0s)'),
  onOff(
    'upload-certs',
    'publish the encrypted authorities for control planes that join, for two hours',
  ),
];

const byName = new Map(catalogue.map((flag) => [flag.name, flag]));

/** Adds flags to a command, and those that every command has. Unknown names are a fault of the phase tree. */
export function addFlags(command: Command, names: readonly string[]): void {
  for (const name of [...new Set(names)].sort((a, b) => (a < b ? -1 : 1))) {
    const flag = byName.get(name);
    if (flag === undefined) throw new TypeError(`add flag --${name}: no such flag`);
    addFlag(command, flag);
  }
  withMachineFlags(command);
}

/** What was given, by the names of the flags. */
export function flagValues(command: Command): FlagValues {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const given = command.options.flatMap((option) => {
    const value = options[option.attributeName()];
    return isValue(value) ? [[option.name().replace(/^no-/, ''), value] as const] : [];
  });
  return Object.fromEntries(given);
}

function addFlag(command: Command, flag: WorkflowFlag): void {
  const { name, kind, description, short } = flag;
  const letter = short === undefined ? '' : `-${short}, `;
  if (kind === 'switch') {
    withSwitches(command, { [`${letter}--${name}`]: description });
    return;
  }
  const option = new Option(`${letter}--${name} <${flag.value ?? 'value'}>`, description);
  if (kind === 'list') option.argParser(collect);
  if (kind === 'number') option.argParser(wholeNumber);
  command.addOption(option);
}

function isValue(value: unknown): value is string | number | boolean | readonly string[] {
  return value !== undefined && value !== null;
}
