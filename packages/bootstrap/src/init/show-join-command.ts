import { joinCommand, joinTarget, withheld } from '../token/join-command.ts';
import type { InitData } from './data.ts';

/** The end of `init`: how to use the cluster, and how to add nodes to it. One block for each token. */
export async function showJoinCommand(data: InitData): Promise<void> {
  const { settings, access, reporter, options } = data;
  if (options.isDryRun) {
    reporter.phase('dryrun', 'nothing was made; a run without --dry-run ends with these words:');
  }
  const target = joinTarget(await access.kubeconfig());
  for (const { token } of settings.init.bootstrapTokens) {
    const shownToken = options.skipTokenPrint ? withheld : token;
    const command = { ...target, token: shownToken };
    for (const line of usageLines(options.kubeconfig)) reporter.line(line);
    if (settings.cluster.controlPlaneEndpoint !== '') {
      for (const line of controlPlaneLines(data, command)) reporter.line(line);
    }
    reporter.line('On each worker, as root:');
    reporter.line();
    reporter.line(joinCommand(command, 'block'));
  }
}

function usageLines(kubeconfig: string): readonly string[] {
  return [
    '',
    'The control plane of your cluster is ready.',
    '',
    'To use it as a regular user:',
    '',
    '  mkdir -p $HOME/.kube',
    `  sudo cp -i ${kubeconfig} $HOME/.kube/config`,
    '  sudo chown $(id -u):$(id -g) $HOME/.kube/config',
    '',
    'As root:',
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    '',
    'Pods need a pod network: install the network plugin of your choice with kubectl apply.',
    '',
  ];
}

type Command = Parameters<typeof joinCommand>[0];

function controlPlaneLines(data: InitData, command: Command): readonly string[] {
  const { uploadCertificates, skipCertificateKeyPrint } = data.options;
  if (!uploadCertificates) {
    return [
      'On each further control plane, as root, after copying the authorities and service account keys there:',
      '',
      joinCommand({ ...command, controlPlane: true }, 'block'),
      '',
    ];
  }
  const certificateKey = skipCertificateKeyPrint ? withheld : data.certificateKey();
  return [
    'On each further control plane, as root:',
    '',
    joinCommand({ ...command, certificateKey }, 'block'),
    '',
    'Whoever has the certificate key can read the keys of the cluster: keep it secret. What was uploaded is',
    'deleted after two hours; `slipway init phase upload-certs --upload-certs` uploads it again.',
    '',
  ];
}
