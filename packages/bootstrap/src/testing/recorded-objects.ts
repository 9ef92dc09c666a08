import { readFileSync } from 'node:fs';
import type { KubeObject } from '@slipway/api';

/** Minors whose objects were recorded from the real kubeadm; see `object/testdata`. */
export const recordedVersions = ['v1.36.3', 'v1.37.2'] as const;

export type RecordedVersion = (typeof recordedVersions)[number];

/** An object of any kind, as read from a file. */
export type AnyObject = KubeObject & Readonly<Record<string, unknown>>;

type Recording = Readonly<Record<string, Readonly<Record<string, AnyObject>>>>;

/** The case that all objects were recorded of; of the others only what differs from it. */
const wholeCase = 'c01-ipv4-default';

/** What kubeadm made of a case, by `Kind namespace/name`. */
export function recordedObjects(
  version: RecordedVersion,
  caseName: string = wholeCase,
): ReadonlyMap<string, AnyObject> {
  const file = new URL(`../object/testdata/objects-${version}.json`, import.meta.url);
  const recording: Recording = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries({ ...recording[wholeCase], ...recording[caseName] }));
}

/** An object of the recording; throws when it is not there. */
export function recordedObject(objects: ReadonlyMap<string, AnyObject>, key: string): AnyObject {
  const object = objects.get(key);
  if (object === undefined) throw new Error(`no recording of ${key}`);
  return object;
}

/** An entry of the `data` of a recorded ConfigMap. */
export function recordedText(objects: ReadonlyMap<string, AnyObject>, key: string, entry: string) {
  const { data } = recordedObject(objects, key) as { data?: Readonly<Record<string, string>> };
  return data?.[entry] ?? '';
}
