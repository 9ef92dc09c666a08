import type { KeyObject } from 'node:crypto';
import { TerminalError } from '@slipway/base';
import { renderKubeconfig, singleUserKubeconfig } from '@slipway/kube';
import { encodePrivateKey } from '@slipway/pki';
import { durationMs } from '../config/duration.ts';
import { clusterName } from '../discovery/cluster-kubeconfig.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { dropPendingKey, pendingKey } from '../tls-bootstrap/node-files.ts';
import { requestNodeCertificate } from '../tls-bootstrap/request-certificate.ts';
import type { JoinData } from './data.ts';
import { localServer } from './local-server.ts';

/**
 * Where no kubelet runs, slipway asks for the node's certificate in its place: with the same request, so
 * that the cluster approves and signs it as any other. kubelet.conf embeds what is given, for a kubelet
 * that is started on these files later. Broken off, it goes on with the same key.
 */
export async function bootstrapInPlaceOfKubelet(data: JoinData): Promise<void> {
  const { join, ground, reporter, trust } = data;
  const { files } = ground;
  const path = kubernetesPaths.kubeletKubeconfig;
  const nodeName = join.nodeRegistration.name;
  if ((await files.stat(path)) === undefined) {
    reporter.phase(
      'kubelet-start',
      'no kubelet runs here: asking for its certificate in its place',
    );
    const key = await pendingKey(files);
    const certificatePem = await requestCertificate(data, key);
    const { cluster } = await trust.discovered();
    const server = await localServer(data);
    const text = renderKubeconfig(
      singleUserKubeconfig(
        {
          name: clusterName,
          server: server ?? cluster.server,
          certificateAuthority: { pem: cluster.certificateAuthorityPem },
        },
        {
          name: `system:node:${nodeName}`,
          clientCertificate: { pem: certificatePem },
          clientKey: { secret: encodePrivateKey(key, 'sec1') },
        },
      ),
    );
    await files.write(path, Buffer.from(text), { mode: 0o600, uid: 0, gid: 0 });
    reporter.phase('kubelet-start', `wrote ${path}`);
  }
  await dropPendingKey(files);
  await files.remove(kubernetesPaths.bootstrapKubeletKubeconfig);
}

async function requestCertificate(data: JoinData, key: KeyObject): Promise<string> {
  const { join, ground, reporter, trust, signal } = data;
  const { files, clock } = ground;
  try {
    return await requestNodeCertificate({
      client: await trust.bootstrapClient(),
      nodeName: join.nodeRegistration.name,
      key,
      clock,
      timeoutMs: durationMs(join.timeouts.tlsBootstrap),
      onWait: (observed) => reporter.phase('kubelet-start', observed),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    // The name of a request follows from its key: a denied key would be denied again.
    if (error instanceof TerminalError) await dropPendingKey(files);
    throw error;
  }
}
