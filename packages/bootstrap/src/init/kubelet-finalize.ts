import { TerminalError } from '@slipway/base';
import { type Kubeconfig, parseKubeconfig, renderKubeconfig } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { changeKubelet } from '../workflow/kubelet-service.ts';
import type { InitData } from './data.ts';

/**
 * Once the kubelet renews its client certificate by itself, kubelet.conf names the file that it keeps it
 * in instead of embedding the first one.
 */
export async function enableClientRotation(data: InitData): Promise<void> {
  const { ground, reporter, settings, options } = data;
  const rotated = `${certificateFolder(settings.init.nodeRegistration)}/kubelet-client-current.pem`;
  if ((await ground.files.stat(rotated)) === undefined) {
    reporter.phase('kubelet-finalize', `the kubelet does not renew its certificate: no ${rotated}`);
    return;
  }
  const path = kubernetesPaths.kubeletKubeconfig;
  const text = await readHostText(ground.files, path);
  if (text === undefined) throw malformed('there is none');
  const kubeconfig = parseKubeconfig(text, { source: `kubeconfig ${path}`, folder: '/' });
  const wanted = renderKubeconfig(withCredentialFile(kubeconfig, rotated));
  if (wanted === text) return;
  reporter.phase('kubelet-finalize', `${path} now names ${rotated}`);
  await ground.files.write(path, Buffer.from(wanted), { mode: 0o600, uid: 0, gid: 0 });
  await changeKubelet('restart', 'kubelet-finalize', { ...options, ground, reporter });
}

function certificateFolder({
  kubeletExtraArgs,
}: InitData['settings']['init']['nodeRegistration']): string {
  const given = kubeletExtraArgs.findLast(({ name }) => name === 'cert-dir')?.value;
  return given ?? `${kubernetesPaths.kubelet}/pki`;
}

function withCredentialFile(kubeconfig: Kubeconfig, path: string): Kubeconfig {
  const { contexts, users, currentContext } = kubeconfig;
  const context = contexts.find(({ name }) => name === currentContext);
  if (context === undefined) throw malformed('it has no current context');
  if (!users.some(({ name }) => name === context.user)) throw malformed('its user is missing');
  return {
    ...kubeconfig,
    users: users.map((user) =>
      user.name === context.user
        ? { name: user.name, clientCertificate: { path }, clientKey: { path } }
        : user,
    ),
  };
}

function malformed(reason: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.kubelet-conf.malformed';
  const { kubeletKubeconfig } = kubernetesPaths;
  return new TerminalError(`read kubeconfig ${kubeletKubeconfig}: ${reason}`, { code });
}
