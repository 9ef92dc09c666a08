import { TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Check } from '../preflight/check.ts';
import { imageChecks, joinChecks, joinedChecks } from '../preflight/check-lists.ts';
import { imagePullText } from '../preflight/image-pull-text.ts';
import { listKnownNodes } from '../preflight/known-nodes.ts';
import { passPreflight } from '../preflight/pass-preflight.ts';
import { beginRun, isOwnTrace, isUnfinished } from '../workflow/unfinished-run.ts';
import type { JoinData } from './data.ts';
import { missingCertificates } from './missing-certificates.ts';

/**
 * Checks the machine, then, knowing the cluster, what depends on it; pulls the images of a control plane.
 * What an own run that was broken off left behind is no reason to refuse the next one.
 */
export async function checkMachine(data: JoinData): Promise<void> {
  const { join, ground, machineGround, reporter, trust, isDryRun } = data;
  reporter.phase('preflight', 'checking this machine');
  const goesOn = await isUnfinished(machineGround.files, 'join');
  if (goesOn) reporter.phase('preflight', 'going on where an earlier join was broken off');
  const pass = (checks: readonly Check[]) =>
    passPreflight(
      checks.filter(({ name }) => !(goesOn && isOwnTrace(name))),
      {
        ground: machineGround,
        reporter,
        ignore: join.nodeRegistration.ignorePreflightErrors,
        ...(data.signal === undefined ? {} : { signal: data.signal }),
      },
    );
  await pass(joinChecks(join));
  const settings = await trust.settings();
  const { cluster } = await trust.discovered();
  await demandPreparedCluster(data);
  const apiServerEndpoint = new URL(cluster.server).host;
  const knownNodes = async () => await listKnownNodes(await trust.bootstrapClient());
  const known = isDryRun ? {} : { knownNodes };
  await pass(joinedChecks({ join, settings, apiServerEndpoint, ...known }));
  if (isDryRun) return;
  if (join.controlPlane !== undefined && ground.run !== undefined) {
    reporter.phase('preflight', imagePullText(settings));
    await pass(imageChecks(settings));
  }
  await beginRun(ground.files, 'join');
}

/** A further control plane needs an address that outlives the first one, and the cluster's authorities. */
async function demandPreparedCluster({ join, trust, ground, isDryRun }: JoinData): Promise<void> {
  if (join.controlPlane === undefined || isDryRun) return;
  const { cluster } = await trust.settings();
  if (cluster.controlPlaneEndpoint === '') {
    throw notReady('the cluster has no controlPlaneEndpoint: set one in ConfigMap kubeadm-config');
  }
  if (join.controlPlane.certificateKey !== undefined) return;
  const missing = await missingCertificates(ground.files, cluster);
  if (missing.length === 0) return;
  throw notReady(
    `${missing.join(', ')} are missing: give --certificate-key after \`slipway init phase upload-certs ` +
      '--upload-certs` on a control plane, or copy them from there',
  );
}

function notReady(reason: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.join.not-ready';
  return new TerminalError(`join as control plane: ${reason}`, { code });
}
