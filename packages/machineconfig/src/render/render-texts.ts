import {
  defaultObjects,
  type MachineConfig,
  type MachineConfigPool,
  nodeRoleLabel,
  roleLabel,
  workerPoolName,
} from '@slipway/api';
import { positionOf } from '../document/locate-issue.ts';
import type { TextObject } from '../document/read-text.ts';
import { issueCode } from '../errors.ts';
import { type Rendered, type RenderFinding, renderPool } from './render-pool.ts';
import { renderedObject } from './rendered-object.ts';

/** Objects of one file, all of them valid. */
export type NamedText = { readonly file: string; readonly objects: readonly TextObject[] };

/** A finding about a rendering with its place in a file, where it has one. */
export type PlacedFinding = RenderFinding & { readonly file?: string };

export type TextRendering =
  | {
      readonly kind: 'rendered';
      readonly rendered: Rendered;
      readonly object: MachineConfig;
      /** Warnings. */
      readonly findings: readonly PlacedFinding[];
      /** MachineConfigs of the files that the pool does not select. */
      readonly unselected: readonly string[];
      /** Where a MachineConfig, or a value in it, is written: `a.yaml:12:7`. */
      readonly placeOf: (source: string, path?: string) => string | undefined;
    }
  | { readonly kind: 'refused'; readonly findings: readonly PlacedFinding[] };

type Placed = { readonly file: string; readonly object: TextObject };

/**
 * Renders a pool from files, as a cluster that has these objects would: what an installation creates is
 * there unless a file says otherwise, and so is a pool for a custom role.
 */
export function renderTexts(poolName: string, texts: readonly NamedText[]): TextRendering {
  const placed = texts.flatMap(({ file, objects }) => objects.map((object) => ({ file, object })));
  const configs = placed.filter(({ object }) => object.kind === 'MachineConfig');
  const pools = placed.filter(
    ({ object }) => object.kind === 'MachineConfigPool' && object.name === poolName,
  );
  const twice = [...nameTwice(configs), ...nameTwice(pools)];
  if (twice.length > 0) return { kind: 'refused', findings: twice };
  const pool = (pools[0]?.object.value as MachineConfigPool | undefined) ?? defaultPool(poolName);
  const written = configs.map(({ object }) => object.value as MachineConfig);
  const names = new Set(written.map(({ metadata }) => metadata?.name));
  const installed = installedConfigs().filter(({ metadata }) => !names.has(metadata?.name));
  const outcome = renderPool(pool, [...installed, ...written]);
  const findings = outcome.findings.map((finding) => locate(finding, configs, pools[0]));
  if (outcome.kind === 'refused') return { kind: 'refused', findings };
  const { rendered } = outcome;
  return {
    kind: 'rendered',
    rendered,
    object: renderedObject(pool, rendered),
    findings,
    unselected: configs
      .map(({ object }) => object.name)
      .filter((name) => !rendered.sources.includes(name)),
    placeOf: (source, path = '') => placeOf(configs, source, path),
  };
}

function ofKind(kind: string) {
  return defaultObjects().flatMap(({ object }) => (object.kind === kind ? [object] : []));
}

function installedConfigs(): readonly MachineConfig[] {
  return ofKind('MachineConfig') as readonly MachineConfig[];
}

/** The pool that an installation creates, or the usual one of a custom role: worker and the role itself. */
function defaultPool(name: string): MachineConfigPool {
  const installed = ofKind('MachineConfigPool') as readonly MachineConfigPool[];
  const known = installed.find(({ metadata }) => metadata?.name === name);
  if (known !== undefined) return known;
  const nodeLabel = nodeRoleLabel.worker.replace(/[^/]+$/, name);
  return {
    metadata: { name },
    spec: {
      machineConfigSelector: {
        matchExpressions: [{ key: roleLabel, operator: 'In', values: [workerPoolName, name] }],
      },
      nodeSelector: { matchLabels: { [nodeLabel]: '' } },
    },
  };
}

function nameTwice(all: readonly Placed[]): readonly PlacedFinding[] {
  const first = new Map<string, Placed>();
  return all.flatMap((each): readonly PlacedFinding[] => {
    const { object, file } = each;
    const before = first.get(object.name);
    if (before === undefined) {
      first.set(object.name, each);
      return [];
    }
    const path = 'metadata.name';
    return [
      {
        code: issueCode.nameTwice,
        severity: 'error',
        path,
        ...positionOf(object.tree, path),
        file,
        message: `a second ${object.kind} ${object.name}; the first is at ${placeIn(before, path)}`,
        hint: 'rename one of them, or leave one out',
      },
    ];
  });
}

function locate(
  finding: RenderFinding,
  configs: readonly Placed[],
  pool: Placed | undefined,
): PlacedFinding {
  const found =
    finding.source === undefined
      ? pool
      : configs.find(({ object }) => object.name === finding.source);
  if (found === undefined) return finding;
  return { ...finding, ...positionOf(found.object.tree, finding.path), file: found.file };
}

function placeIn({ file, object }: Placed, path: string): string {
  const position = positionOf(object.tree, path);
  return position === undefined ? file : `${file}:${position.line}:${position.column}`;
}

function placeOf(configs: readonly Placed[], source: string, path: string): string | undefined {
  const found = configs.find(({ object }) => object.name === source);
  return found === undefined ? undefined : placeIn(found, path);
}
