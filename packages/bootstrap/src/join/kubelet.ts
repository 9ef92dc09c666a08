import { durationMs } from '../config/duration.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { writeKubeletFiles } from '../kubelet/write-kubelet-files.ts';
import {
  bootstrapKubeconfig,
  writeClusterAuthority,
} from '../tls-bootstrap/bootstrap-kubeconfig.ts';
import { waitForKubeletCredentials } from '../tls-bootstrap/kubelet-credentials.ts';
import { checkNodeNameFree } from '../tls-bootstrap/node-name-free.ts';
import { changeKubelet } from '../workflow/kubelet-service.ts';
import { waitForKubelet } from '../workflow/wait-for-control-plane.ts';
import { writeIfChanged } from '../workflow/write-if-changed.ts';
import { annotateSocket } from './annotate-socket.ts';
import type { JoinData } from './data.ts';
import { localServer } from './local-server.ts';
import { bootstrapInPlaceOfKubelet } from './stand-in-bootstrap.ts';

/**
 * Writes what the kubelet needs to ask for its certificate and to run, and starts it. A node that has its
 * certificate already keeps it.
 */
export async function startKubelet(data: JoinData): Promise<void> {
  const { join, ground, trust } = data;
  const settings = await trust.settings();
  const discovered = await trust.discovered();
  const { files } = ground;
  if ((await files.stat(kubernetesPaths.kubeletKubeconfig)) === undefined) {
    const client = await trust.bootstrapClient();
    await checkNodeNameFree(client, join.nodeRegistration.name, data.signal);
    await files.makeDirectory(kubernetesPaths.directory, { mode: 0o755, uid: 0, gid: 0 });
    await writeIfChanged(
      files,
      kubernetesPaths.bootstrapKubeletKubeconfig,
      bootstrapKubeconfig(discovered, await localServer(data)),
      { mode: 0o600, uid: 0, gid: 0 },
    );
  }
  await writeClusterAuthority(files, discovered, join.caCertPath);
  await changeKubelet('stop', 'kubelet-start', data);
  await writeKubeletFiles(settings, { ...data, registerTaints: join.controlPlane === undefined });
  await changeKubelet('start', 'kubelet-start', data);
}

/** Waits until the kubelet has its certificate, then removes what it was asked for with. */
export async function waitForBootstrap(data: JoinData): Promise<void> {
  const { join, ground, reporter, isDryRun, signal } = data;
  if (isDryRun) {
    reporter.phase('dryrun', 'would wait until the kubelet has its client certificate');
    return;
  }
  if (ground.systemd === undefined) return await bootstrapInPlaceOfKubelet(data);
  await waitForKubelet({ ...data, timeouts: join.timeouts });
  reporter.phase('kubelet-start', 'waiting until the kubelet has its client certificate');
  const connection = await waitForKubeletCredentials({
    files: ground.files,
    clock: ground.clock,
    timeoutMs: durationMs(join.timeouts.tlsBootstrap),
    onWait: (observed) => reporter.phase('kubelet-start', observed),
    ...(signal === undefined ? {} : { signal }),
  });
  await ground.files.remove(kubernetesPaths.bootstrapKubeletKubeconfig);
  await annotateSocket(data, connection);
}
