import type { KubeObject } from '@slipway/api';
import type { KubeClient } from '@slipway/kube';
import { corednsObjects, corednsReplicas, type PatchObject } from '../addon/coredns.ts';
import { kubeProxyObjects } from '../addon/kube-proxy.ts';
import { kubeProxyConfiguration } from '../addon/kube-proxy-configuration.ts';
import { machineConfigNotice, machineConfigObjects } from '../addon/machine-config.ts';
import { componentImage } from '../image/component-image.ts';
import { mergeEnvironment, proxyEnvironment } from '../manifest/static-pod.ts';
import { serviceAddress } from '../network/cidr.ts';
import { applyObjects, readObject } from '../object/apply-objects.ts';
import type { ClusterObject } from '../object/cluster-object.ts';
import { yamlText } from '../object/yaml-text.ts';
import { applyPatches } from '../patches/apply-patches.ts';
import type { PatchTarget } from '../patches/patch-file-name.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';
import { clusterApiAddress } from '../workflow/api-address.ts';
import type { InitData } from './data.ts';

/** CoreDNS, with as many replicas as the cluster has already. */
export async function installCoredns(data: InitData): Promise<void> {
  const { settings, access, options } = data;
  const { networking } = settings.cluster;
  const objects = (replicas: number): readonly ClusterObject[] =>
    corednsObjects(
      {
        image: componentImage('coredns', settings.cluster),
        dnsDomain: networking.dnsDomain,
        address: serviceAddress(networking.serviceSubnet, 10),
        replicas,
      },
      patcherOf(data),
    );
  if (options.printManifest) return printObjects(data, objects(corednsReplicas));
  const client = await access.client();
  const replicas = await replicasOf(client, objects(corednsReplicas));
  await install(data, client, 'CoreDNS', objects(replicas ?? corednsReplicas));
}

/** kube-proxy on every node. */
export async function installKubeProxy(data: InitData): Promise<void> {
  const { settings, access, options, ground } = data;
  const { cluster, init, components } = settings;
  const objects = kubeProxyObjects(
    {
      image: componentImage('kube-proxy', cluster),
      server: clusterApiAddress(cluster, init.localAPIEndpoint),
      configuration: kubeProxyConfiguration(components.kubeProxy, {
        minor: kubernetesMinor(cluster.kubernetesVersion),
        advertiseAddress: init.localAPIEndpoint.advertiseAddress,
        podSubnet: cluster.networking.podSubnet,
      }),
      isGenerated: components.kubeProxy === undefined,
      environment: mergeEnvironment(proxyEnvironment(ground.variables)),
    },
    patcherOf(data),
  );
  if (options.printManifest) return printObjects(data, objects);
  await install(data, await access.client(), 'kube-proxy', objects);
}

/** What machine configuration needs in the cluster: definitions, rights, default pools and configs. */
export async function installMachineConfig(data: InitData): Promise<void> {
  const { access, options } = data;
  const objects = machineConfigObjects([]);
  if (options.printManifest) return printObjects(data, objects);
  const client = await access.client();
  await install(data, client, 'machine configuration', objects);
  await data.grantOperator?.(client);
  data.reporter.phase('addons', machineConfigNotice);
}

function patcherOf({ patches }: InitData): PatchObject {
  return (target, object) => applyPatches(target as PatchTarget, object, patches);
}

async function install(
  { access, reporter }: InitData,
  client: KubeClient,
  name: string,
  objects: readonly ClusterObject[],
): Promise<void> {
  await applyObjects(client, objects, access.calls);
  reporter.phase('addons', `${name} is in place`);
}

function printObjects({ reporter }: InitData, objects: readonly ClusterObject[]): void {
  for (const { object } of objects) {
    reporter.line('---');
    reporter.line(yamlText(object).trimEnd());
  }
}

async function replicasOf(
  client: KubeClient,
  objects: readonly ClusterObject[],
): Promise<number | undefined> {
  const wanted = objects.find(({ object }) => object.kind === 'Deployment');
  const live = wanted && (await readObject(client, wanted));
  const spec = (live as (KubeObject & { spec?: { replicas?: number } }) | undefined)?.spec;
  return spec?.replicas;
}
