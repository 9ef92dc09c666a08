import { isJsonObject } from '@slipway/base';
import { type Draft, fill, items, section } from './draft.ts';

const defaultMode = 0o644;

function imagePullPolicy(image: unknown): string {
  const name = String(image ?? '');
  if (name.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(container: Draft, key: string): void {
  const probe = container[key];
  if (!isJsonObject(probe)) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  const get = probe['httpGet'];
  if (isJsonObject(get)) fill(get, { path: '/', scheme: 'HTTP' });
}

/** A request that is absent is its limit. */
function defaultResources(container: Draft): void {
  const resources = section(container, 'resources');
  const limits = resources['limits'];
  if (!isJsonObject(limits)) return;
  fill(section(resources, 'requests'), limits);
}

function defaultContainer(container: Draft): void {
  fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: imagePullPolicy(container['image']),
  });
  defaultResources(container);
  for (const port of items(container, 'ports')) fill(port, { protocol: 'TCP' });
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    defaultProbe(container, probe);
  }
  for (const variable of items(container, 'env')) {
    const from = variable['valueFrom'];
    const field = isJsonObject(from) ? from['fieldRef'] : undefined;
    if (isJsonObject(field)) fill(field, { apiVersion: 'v1' });
  }
}

function defaultVolume(volume: Draft): void {
  for (const kind of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = volume[kind];
    if (isJsonObject(source)) fill(source, { defaultMode });
  }
  const path = volume['hostPath'];
  if (isJsonObject(path)) fill(path, { type: '' });
  const sources = Object.keys(volume).filter((key) => key !== 'name');
  if (sources.length === 0) volume['emptyDir'] = {};
}

/** Defaults of a PodSpec, in a pod or in a template. */
export function defaultPodSpec(spec: Draft): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of items(spec, list)) defaultContainer(container);
  }
  for (const volume of items(spec, 'volumes')) defaultVolume(volume);
}

/** Defaults of a pod. */
export function defaultPod(pod: Draft): void {
  const spec = section(pod, 'spec');
  defaultPodSpec(spec);
  fill(spec, { enableServiceLinks: true });
}
