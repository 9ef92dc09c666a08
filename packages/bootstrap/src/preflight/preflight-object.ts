import type { JsonObject } from '@slipway/base';
import { hasPreflightErrors, type PreflightFinding } from './run-preflight.ts';

/** Findings as an object for JSON and YAML. */
export function preflightObject(
  command: string,
  findings: readonly PreflightFinding[],
): JsonObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'PreflightReport',
    command,
    passed: !hasPreflightErrors(findings),
    findings: findings.map(({ name, level, message, fix, isIgnored }) => ({
      name,
      level,
      message,
      fix,
      ...(isIgnored ? { ignored: true } : {}),
    })),
  };
}
