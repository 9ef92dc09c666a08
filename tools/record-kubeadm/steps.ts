import { type Configuration, configurationPath } from './configurations.ts';

/** One command of kubeadm, which slipway has too. */
export type Step = {
  /** Names its exit code: piece `exit/NAME`. */
  readonly name: string;
  readonly argv: readonly string[];
  /** Files to take away before, as the program sees them. */
  readonly removeFirst?: readonly string[];
};

const config = ['--config', configurationPath];

const understood: readonly Step[] = [
  { name: 'validate', argv: ['config', 'validate', ...config] },
  { name: 'migrate', argv: ['config', 'migrate', '--old-config', configurationPath] },
];

function ofInit({ flags }: Configuration): readonly Step[] {
  const phase = (name: string, ...words: string[]): Step => ({
    name,
    argv: ['init', 'phase', ...words, ...config],
  });
  return [
    ...understood,
    { name: 'images', argv: ['config', 'images', 'list', ...config] },
    {
      name: 'dry-run',
      argv: ['init', '--dry-run', '--ignore-preflight-errors=all', ...flags, ...config],
    },
    phase('certs', 'certs', 'all'),
    phase('kubeconfig', 'kubeconfig', 'all'),
    { name: 'check-expiration', argv: ['certs', 'check-expiration', '-o', 'json', ...config] },
    phase('etcd', 'etcd', 'local'),
    phase('control-plane', 'control-plane', 'all'),
    phase('kubelet-start', 'kubelet-start'),
    phase('certs-again', 'certs', 'all'),
    phase('kubeconfig-again', 'kubeconfig', 'all'),
  ];
}

/** What a cluster goes through whose CA key lies elsewhere. */
const externalAuthority: readonly Step[] = [
  {
    name: 'without-ca-key/certs',
    argv: ['init', 'phase', 'certs', 'all', ...config],
    removeFirst: ['/etc/kubernetes/pki/ca.key', '/etc/kubernetes/pki/front-proxy-ca.key'],
  },
  { name: 'without-ca-key/kubeconfig', argv: ['init', 'phase', 'kubeconfig', 'all', ...config] },
  {
    name: 'without-ca-key/check-expiration',
    argv: ['certs', 'check-expiration', '-o', 'json', ...config],
  },
  {
    name: 'without-ca-key/control-plane',
    argv: ['init', 'phase', 'control-plane', 'all', ...config],
  },
  {
    name: 'without-leaf/certs',
    argv: ['init', 'phase', 'certs', 'all', ...config],
    removeFirst: ['/etc/kubernetes/pki/apiserver.crt', '/etc/kubernetes/pki/apiserver.key'],
  },
  {
    name: 'without-kubeconfig/kubeconfig',
    argv: ['init', 'phase', 'kubeconfig', 'all', ...config],
    removeFirst: ['/etc/kubernetes/scheduler.conf'],
  },
];

const defaults: readonly Step[] = [
  ...['init', 'join', 'reset', 'upgrade'].map((command) => ({
    name: `${command}-defaults`,
    argv: ['config', 'print', `${command}-defaults`],
  })),
  {
    name: 'component-defaults',
    argv: [
      'config',
      'print',
      'init-defaults',
      '--component-configs',
      'KubeletConfiguration,KubeProxyConfiguration',
    ],
  },
  ...['v1.36.0', 'v1.36.3', 'v1.37.0', 'v1.37.2'].map((version) => ({
    name: `images-${version}`,
    argv: ['config', 'images', 'list', '--kubernetes-version', version],
  })),
  {
    name: 'images-mirror',
    argv: [
      'config',
      'images',
      'list',
      '--kubernetes-version',
      'v1.37.2',
      '--image-repository',
      'mirror.example.test/kubernetes',
    ],
  },
];

/** The commands of one configuration, in order; all over the same machine. */
export function stepsOf(configuration: Configuration): readonly Step[] {
  return allSteps(configuration).filter(({ name }) => !configuration.without.includes(name));
}

function allSteps(configuration: Configuration): readonly Step[] {
  switch (configuration.kind) {
    case 'init':
      return [
        ...ofInit(configuration),
        ...(configuration.scenario === 'external-ca' ? externalAuthority : []),
      ];
    case 'general':
      return defaults;
    case 'experimental':
      return understood.map((step) => ({
        ...step,
        argv: [...step.argv, '--allow-experimental-api'],
      }));
    case 'join':
    case 'reset':
    case 'upgrade':
      return understood;
  }
}
