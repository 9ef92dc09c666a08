import { type Node, nodeAnnotation } from '@slipway/api';

/** A node as tests describe one: everything healthy unless said otherwise. */
export type NodeSketch = {
  readonly name: string;
  readonly current?: string;
  readonly desired?: string;
  readonly state?: 'Done' | 'Working' | 'Degraded';
  readonly reason?: string;
  readonly ready?: boolean;
  readonly cordoned?: boolean;
  /** Seconds after a fixed start. */
  readonly age?: number;
  readonly labels?: Readonly<Record<string, string>>;
};

const start = Date.UTC(2026, 0, 1);

export function nodeOf(sketch: NodeSketch): Node {
  const { name, current, desired, state, reason, ready = true, cordoned = false } = sketch;
  const entries = [
    [nodeAnnotation.currentConfig, current],
    [nodeAnnotation.desiredConfig, desired],
    [nodeAnnotation.state, state],
    [nodeAnnotation.reason, reason],
  ] as const;
  const annotations: Record<string, string> = {};
  for (const [key, value] of entries) if (value !== undefined) annotations[key] = value;
  return {
    metadata: {
      name,
      annotations,
      creationTimestamp: new Date(start + (sketch.age ?? 0) * 1000).toISOString(),
      ...(sketch.labels === undefined ? {} : { labels: sketch.labels }),
    },
    spec: cordoned ? { unschedulable: true } : {},
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** A node that has `config` and was told to. */
export function settledNode(name: string, config: string, more: Partial<NodeSketch> = {}): Node {
  return nodeOf({ name, current: config, desired: config, state: 'Done', ...more });
}
