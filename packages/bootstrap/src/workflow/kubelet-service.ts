import { describeError } from '@slipway/base';
import type { Ground, Reporter } from './ground.ts';

const unit = 'kubelet.service';

type KubeletVerb = 'stop' | 'start' | 'restart';

/**
 * Stops or (re)starts the kubelet. Where no unit may be touched, or the unit does not exist yet, that is
 * told; a failure is told and does not end the run, because waiting for the kubelet's health comes next.
 */
export async function changeKubelet(
  verb: KubeletVerb,
  phase: string,
  { ground, reporter, isDryRun }: KubeletSurroundings,
): Promise<void> {
  if (isDryRun) {
    reporter.phase('dryrun', `would ${verb} the kubelet`);
    return;
  }
  const { systemd } = ground;
  if (systemd === undefined) {
    reporter.phase(phase, `no services are touched here: the kubelet is left as it is (${verb})`);
    return;
  }
  try {
    if (verb !== 'stop') await systemd.daemonReload();
    const { loadState } = await systemd.status(unit);
    if (loadState !== 'loaded') {
      reporter.problem(`cannot ${verb} the kubelet: systemd has no ${unit} (${loadState})`);
      return;
    }
    reporter.phase(phase, `${verb} the kubelet`);
    await systemd[verb](unit);
  } catch (error) {
    reporter.problem(`cannot ${verb} the kubelet: ${describeError(error)}`);
  }
}

/** Where a phase meets the kubelet's service. */
export type KubeletSurroundings = {
  readonly ground: Ground;
  readonly reporter: Reporter;
  readonly isDryRun: boolean;
};
