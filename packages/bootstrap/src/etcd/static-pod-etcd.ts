import { isJsonObject } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { parse } from 'yaml';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';

/** What the static pod of etcd on this node says of its member. */
export type StaticPodEtcd = {
  /** Value of volume `etcd-data`; undefined: it is no manifest of kubeadm's. */
  readonly dataDirectory: string | undefined;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
};

/** Reads etcd.yaml of this node; undefined when there is none. */
export async function readStaticPodEtcd(files: HostFiles): Promise<StaticPodEtcd | undefined> {
  const text = await readHostText(files, `${kubernetesPaths.manifests}/etcd.yaml`);
  if (text === undefined) return undefined;
  const spec = member(parse(text, { logLevel: 'silent' }), 'spec');
  const command = list(member(spec, 'containers')).flatMap((one) => list(member(one, 'command')));
  const volume = list(member(spec, 'volumes')).find((one) => member(one, 'name') === 'etcd-data');
  const path = member(member(volume, 'hostPath'), 'path');
  return {
    dataDirectory: typeof path === 'string' ? path : undefined,
    peerUrls: urlsOf(command, 'initial-advertise-peer-urls'),
    clientUrls: urlsOf(command, 'advertise-client-urls'),
  };
}

function urlsOf(command: readonly unknown[], flag: string): readonly string[] {
  const prefix = `--${flag}=`;
  return command
    .map(String)
    .filter((argument) => argument.startsWith(prefix))
    .flatMap((argument) => argument.slice(prefix.length).split(','));
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
