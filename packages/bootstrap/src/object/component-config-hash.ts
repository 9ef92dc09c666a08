import { createHash } from 'node:crypto';
import type { ConfigMap } from '@slipway/api';
import { compareBytes } from '@slipway/base';

/** Annotation of a ConfigMap whose component configuration was generated, not given by a user. */
export const componentConfigHashAnnotation = 'kubeadm.kubernetes.io/component-config.hash';

/**
 * `sha256:` and the hex digest over the values of `data` in the order of their keys. kubeadm regenerates
 * a configuration on upgrade only when the annotation fits the content, so it is a contract.
 */
export function componentConfigHash(data: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const key of Object.keys(data).sort(compareBytes)) hash.update(data[key] ?? '');
  return `sha256:${hash.digest('hex')}`;
}

/** The annotations that a generated configuration carries. */
export function generatedAnnotations(
  data: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { [componentConfigHashAnnotation]: componentConfigHash(data) };
}

/** True when the configuration was generated and nobody changed it since. */
export function isGenerated(configMap: ConfigMap): boolean {
  const hash = configMap.metadata?.annotations?.[componentConfigHashAnnotation];
  return hash !== undefined && hash === componentConfigHash(configMap.data ?? {});
}
