import type { ClusterConfiguration, InitSettings } from '../config/configuration.ts';

const addonPhases = [
  ['dns', 'addon/coredns'],
  ['proxy', 'addon/kube-proxy'],
] as const;

/** Settings and skipped phases that agree about add-ons. */
export type AgreedAddons = {
  readonly settings: InitSettings;
  readonly skipPhases: readonly string[];
};

/**
 * Who skips the phase of an add-on does not want it: the stored configuration says so, and upgrades
 * honour it. Who disables it in the configuration has its phase skipped.
 */
export function agreeOnAddons(settings: InitSettings, skipPhases: readonly string[]): AgreedAddons {
  let { cluster } = settings;
  const skipped = new Set(skipPhases);
  for (const [addon, phase] of addonPhases) {
    const isUnwanted = cluster[addon].disabled || skipped.has(phase) || skipped.has('addon');
    if (!isUnwanted) continue;
    cluster = withDisabled(cluster, addon);
    if (!skipped.has('addon')) skipped.add(phase);
  }
  return { settings: { ...settings, cluster }, skipPhases: [...skipped] };
}

function withDisabled(cluster: ClusterConfiguration, addon: 'dns' | 'proxy'): ClusterConfiguration {
  return { ...cluster, [addon]: { ...cluster[addon], disabled: true } };
}
