import type { Reporter } from '../workflow/ground.ts';
import type { Check } from './check.ts';
import {
  demandPreflight,
  type PreflightRequest,
  reportPreflight,
  runPreflight,
} from './run-preflight.ts';

/**
 * Runs checks, tells what they found, and ends the command when one of them is an error.
 * @throws PreflightError `bootstrap.preflight.failed`
 */
export async function passPreflight(
  checks: readonly Check[],
  request: PreflightRequest & { readonly reporter: Reporter },
): Promise<void> {
  const findings = await runPreflight(checks, request);
  reportPreflight(findings, request.reporter);
  demandPreflight(findings);
}
