import { type Draft, fill, section } from './draft.ts';
import { defaultPodSpec } from './pod-defaults.ts';

function defaultTemplate(spec: Draft): void {
  defaultPodSpec(section(section(spec, 'template'), 'spec'));
}

/** Defaults of a deployment. */
export function defaultDeployment(object: Draft): void {
  const spec = section(object, 'spec');
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = section(spec, 'strategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') {
    fill(section(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  }
  defaultTemplate(spec);
}

/** Defaults of a daemon set. */
export function defaultDaemonSet(object: Draft): void {
  const spec = section(object, 'spec');
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = section(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') {
    fill(section(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
  }
  defaultTemplate(spec);
}

/** Defaults of a replica set. */
export function defaultReplicaSet(object: Draft): void {
  const spec = section(object, 'spec');
  fill(spec, { replicas: 1 });
  defaultTemplate(spec);
}
