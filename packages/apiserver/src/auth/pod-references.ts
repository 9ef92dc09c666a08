import { readList, readPath, readText } from '../registry/read-path.ts';

/** Names of the objects, in the pod's namespace, that a pod needs to run. */
export type PodReferences = {
  readonly secrets: ReadonlySet<string>;
  readonly configmaps: ReadonlySet<string>;
  readonly serviceAccount: string;
};

type Collected = { readonly secrets: Set<string>; readonly configmaps: Set<string> };

function addContainer(container: unknown, found: Collected): void {
  for (const variable of readList(container, 'env')) {
    found.secrets.add(readText(variable, 'valueFrom', 'secretKeyRef', 'name'));
    found.configmaps.add(readText(variable, 'valueFrom', 'configMapKeyRef', 'name'));
  }
  for (const source of readList(container, 'envFrom')) {
    found.secrets.add(readText(source, 'secretRef', 'name'));
    found.configmaps.add(readText(source, 'configMapRef', 'name'));
  }
}

function addVolume(volume: unknown, found: Collected): void {
  found.secrets.add(readText(volume, 'secret', 'secretName'));
  found.configmaps.add(readText(volume, 'configMap', 'name'));
  for (const source of readList(volume, 'projected', 'sources')) {
    found.secrets.add(readText(source, 'secret', 'name'));
    found.configmaps.add(readText(source, 'configMap', 'name'));
  }
  for (const driver of ['azureFile', 'cephfs', 'csi', 'flexVolume', 'iscsi', 'rbd', 'scaleIO']) {
    found.secrets.add(readText(volume, driver, 'secretName'));
    found.secrets.add(readText(volume, driver, 'secretRef', 'name'));
    found.secrets.add(readText(volume, driver, 'nodePublishSecretRef', 'name'));
  }
}

/** What a pod's spec refers to. */
export function podReferences(spec: Readonly<Record<string, unknown>>): PodReferences {
  const found: Collected = { secrets: new Set(), configmaps: new Set() };
  for (const kind of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of readList(spec, kind)) addContainer(container, found);
  }
  for (const volume of readList(spec, 'volumes')) addVolume(volume, found);
  for (const pull of readList(spec, 'imagePullSecrets')) {
    found.secrets.add(readText(pull, 'name'));
  }
  found.secrets.delete('');
  found.configmaps.delete('');
  const serviceAccount = readPath(spec, 'serviceAccountName');
  return { ...found, serviceAccount: typeof serviceAccount === 'string' ? serviceAccount : '' };
}
