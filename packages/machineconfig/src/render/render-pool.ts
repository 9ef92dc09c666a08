import type { MachineConfig, MachineConfigPool } from '@slipway/api';
import { canonicalJson, hasErrors, type Issue, type JsonObject } from '@slipway/base';
import {
  encodeIgnition,
  type MergeIssue,
  mergeIgnition,
  type Override,
  type Provenance,
  treeFromJson,
} from '@slipway/ignition';
import type { HostConfig } from '../diff/config-diff.ts';
import { issueCode } from '../errors.ts';
import { poolIssues } from '../rollout/pool-issues.ts';
import { type MachineConfigReading, readMachineConfig } from '../validate/read-machine-config.ts';
import { type SourceSize, sizeIssues } from '../validate/size.ts';
import { renderedName } from './rendered-name.ts';
import { selectSources } from './select-sources.ts';

/** A finding about a rendering and the MachineConfig to blame, where there is one. */
export type RenderFinding = Issue & { readonly source?: string };

export type Rendered = {
  /** `rendered-<pool>-<hash>`. */
  readonly name: string;
  readonly spec: { readonly config: JsonObject; readonly kernelArguments?: readonly string[] };
  readonly host: HostConfig;
  /** Names of the merged MachineConfigs, in merge order. */
  readonly sources: readonly string[];
  /** Values of one MachineConfig that a later one replaced. */
  readonly overrides: readonly Override[];
  /** Who set each value, by its path below `spec.config`. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** How much each MachineConfig brings. */
  readonly sizes: readonly SourceSize[];
};

export type RenderOutcome =
  /** Findings are warnings. */
  | {
      readonly kind: 'rendered';
      readonly rendered: Rendered;
      readonly findings: readonly RenderFinding[];
    }
  /** At least one finding is an error; nodes keep what they have. */
  | { readonly kind: 'refused'; readonly findings: readonly RenderFinding[] };

// Objects of a cache keep their identity while they do not change: each is read once.
const readings = new WeakMap<MachineConfig, MachineConfigReading>();

function readOnce(config: MachineConfig): MachineConfigReading {
  const known = readings.get(config);
  if (known !== undefined) return known;
  const reading = readMachineConfig(treeFromJson(config));
  readings.set(config, reading);
  return reading;
}

type Source = { readonly name: string; readonly bytes: number; readonly host: HostConfig };
type Sources = { readonly sources: readonly Source[]; readonly findings: readonly RenderFinding[] };

function readSources(configs: readonly MachineConfig[]): Sources {
  const sources: Source[] = [];
  const findings: RenderFinding[] = [];
  for (const config of configs) {
    const name = config.metadata?.name ?? '';
    const { host, issues, bytes } = readOnce(config);
    findings.push(...issues.map((issue) => ({ ...issue, source: name })));
    if (host !== undefined) sources.push({ name, bytes, host });
  }
  return { sources, findings };
}

function blamed({ origin, ...issue }: MergeIssue): RenderFinding {
  return origin === undefined ? issue : { ...issue, source: origin.source };
}

function nothingSelected(pool: MachineConfigPool): RenderFinding {
  return {
    code: issueCode.nothingSelected,
    severity: 'error',
    path: 'spec.machineConfigSelector',
    message: `pool ${pool.metadata?.name ?? ''} selects no MachineConfig`,
  };
}

function selectorFindings(pool: MachineConfigPool): readonly RenderFinding[] {
  return poolIssues(pool).filter(({ path }) => path.startsWith('spec.machineConfigSelector'));
}

/** Merges sources that are all valid. */
function mergeSources(pool: string, { sources, findings }: Sources): RenderOutcome {
  const merged = mergeIgnition(
    sources.map(({ name, host }) => ({ label: name, config: host.ignition })),
    { prefix: 'spec.config', rootFiles: 'refuse' },
  );
  const kernelArguments = sources.flatMap(({ host }) => host.kernelArguments);
  const all = [...findings, ...merged.issues.map(blamed)];
  if (merged.config === undefined) return { kind: 'refused', findings: all };
  const spec = {
    config: encodeIgnition(merged.config),
    ...(kernelArguments.length === 0 ? {} : { kernelArguments }),
  };
  const sizes = sources.map(({ name, bytes }) => ({ source: name, bytes }));
  const canonical = new TextEncoder().encode(canonicalJson(spec));
  const result = [...all, ...sizeIssues(canonical.length, 'spec', sizes)];
  if (hasErrors(result)) return { kind: 'refused', findings: result };
  const rendered: Rendered = {
    name: renderedName(pool, canonical),
    spec,
    host: { ignition: merged.config, kernelArguments },
    sources: sources.map(({ name }) => name),
    overrides: merged.overrides,
    provenance: merged.provenance,
    sizes,
  };
  return { kind: 'rendered', rendered, findings: result };
}

/**
 * Renders what the nodes of a pool shall have from all MachineConfigs of the cluster: selects, orders,
 * merges, and validates the result. Invalid input is refused with the MachineConfig to blame.
 */
export function renderPool(
  pool: MachineConfigPool,
  configs: readonly MachineConfig[],
): RenderOutcome {
  const selector = selectorFindings(pool);
  if (hasErrors(selector)) return { kind: 'refused', findings: selector };
  const selected = selectSources(pool, configs);
  if (selected.length === 0) return { kind: 'refused', findings: [nothingSelected(pool)] };
  const read = readSources(selected);
  if (hasErrors(read.findings)) return { kind: 'refused', findings: read.findings };
  return mergeSources(pool.metadata?.name ?? '', read);
}
