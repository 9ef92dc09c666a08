import type { Clock } from '@slipway/base';
import type { PrinterColumn, StoredObject } from '../../contract.ts';
import { humanDuration } from '../human-duration.ts';
import { readList, readText } from '../read-path.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { podSummary } from './pod-status.ts';

function restarts(pod: StoredObject, nowMs: number): string {
  const summary = podSummary(pod);
  if (summary.restarts === 0 || summary.lastRestartMs === 0) return String(summary.restarts);
  return `${summary.restarts} (${humanDuration(nowMs - summary.lastRestartMs)} ago)`;
}

function gates(pod: StoredObject): string {
  const wanted = readList(pod, 'spec', 'readinessGates');
  if (wanted.length === 0) return '<none>';
  const conditions = readList(pod, 'status', 'conditions');
  const met = wanted.filter((gate) =>
    conditions.some(
      (entry) => entry['type'] === gate['conditionType'] && entry['status'] === 'True',
    ),
  );
  return `${met.length}/${wanted.length}`;
}

/** Columns of pods. */
export function podColumns(clock: Clock): readonly PrinterColumn[] {
  const wide = { wide: true };
  return [
    nameColumn,
    column('Ready', (pod) => {
      const { ready, total } = podSummary(pod);
      return `${ready}/${total}`;
    }),
    column('Status', (pod) => podSummary(pod).reason),
    column('Restarts', (pod) => restarts(pod, clock.now())),
    ageColumn(clock),
    column('IP', (pod) => readText(pod, 'status', 'podIP') || '<none>', wide),
    column('Node', (pod) => readText(pod, 'spec', 'nodeName') || '<none>', wide),
    column(
      'Nominated Node',
      (pod) => readText(pod, 'status', 'nominatedNodeName') || '<none>',
      wide,
    ),
    column('Readiness Gates', gates, wide),
  ];
}
