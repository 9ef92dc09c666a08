import { posix } from 'node:path';
import { describeError, isJsonObject, type JsonObject, UserError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { parse } from 'yaml';
import type { BootstrapErrorCode } from '../errors.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import { yamlText } from '../object/yaml-text.ts';
import { unifiedDiff } from './unified-diff.ts';

/** A static pod as it would be written. */
export type TargetManifest = { readonly component: string; readonly pod: JsonObject };

/** How the manifest of a component would change; no lines: not at all. */
export type ManifestDifference = {
  readonly component: string;
  readonly path: string;
  readonly lines: readonly string[];
};

/** Where the kubelet of this node finds the static pod of a component. */
export function manifestPath(component: string): string {
  return posix.join(kubernetesPaths.manifests, `${component}.yaml`);
}

/** Without what encoders write and nobody reads: an empty status, a creation that did not happen. */
function withoutEmptyMarks(pod: Record<string, unknown>): Record<string, unknown> {
  const { status, metadata, ...rest } = pod;
  const isEmpty = isJsonObject(status) && Object.keys(status).length === 0;
  const { creationTimestamp, ...kept } = isJsonObject(metadata) ? metadata : {};
  return {
    ...rest,
    metadata: { ...kept, ...(creationTimestamp ? { creationTimestamp } : {}) },
    ...(status === undefined || isEmpty ? {} : { status }),
  };
}

function refusal(path: string, reason: string, cause?: unknown): UserError {
  const code: BootstrapErrorCode = 'bootstrap.upgrade.no-manifest';
  return new UserError(`read manifest ${path}: ${reason}`, { code, cause });
}

/**
 * The static pod in a manifest of this node. Throws a UserError when there is none, or something else.
 */
export async function readManifest(
  files: HostFiles,
  component: string,
): Promise<Readonly<Record<string, unknown>>> {
  const path = manifestPath(component);
  const text = await readHostText(files, path);
  if (text === undefined) throw refusal(path, 'no such file');
  let pod: unknown;
  try {
    pod = parse(text);
  } catch (cause) {
    throw refusal(path, describeError(cause), cause);
  }
  if (!isJsonObject(pod)) throw refusal(path, 'it holds no object');
  return withoutEmptyMarks(pod);
}

/**
 * Compares the manifests of this node with what would be written. Both sides are put into the form that
 * kubeadm writes, so that order and comments do not count. Throws a UserError when a manifest is missing.
 */
export async function diffManifests(
  files: HostFiles,
  targets: readonly TargetManifest[],
  contextLines: number,
): Promise<readonly ManifestDifference[]> {
  const differences: ManifestDifference[] = [];
  for (const { component, pod } of targets) {
    const path = manifestPath(component);
    const before = yamlText(await readManifest(files, component));
    const after = yamlText(withoutEmptyMarks(pod));
    const names = { from: path, to: 'new manifest' };
    const lines = unifiedDiff(before, after, { ...names, contextLines });
    differences.push({ component, path, lines });
  }
  return differences;
}
