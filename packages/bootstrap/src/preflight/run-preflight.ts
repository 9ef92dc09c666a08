import { describeError, PreflightError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';
import { type Check, type Finding, failure, type PreflightContext } from './check.ts';
import { createPreflightContext } from './preflight-context.ts';

/** A finding with the name of the check that made it. */
export type PreflightFinding = Finding & {
  readonly name: string;
  /** An error that was asked to be ignored: it is told as a warning. */
  readonly isIgnored: boolean;
};

export type PreflightRequest = {
  readonly ground: Ground;
  /** Names of checks whose errors are warnings, in any case of letters; `all`: every check. */
  readonly ignore: readonly string[];
  readonly signal?: AbortSignal;
};

/**
 * Runs checks and gives what they found, in the order of the checks: never hides a finding. The first
 * check runs alone when it asks for the rights of the user, and the others only when it found no error.
 */
export async function runPreflight(
  checks: readonly Check[],
  request: PreflightRequest,
): Promise<readonly PreflightFinding[]> {
  const ignored = new Set(request.ignore.map((name) => name.toLowerCase()));
  const context = createPreflightContext(request);
  const privilege = checks.filter(({ name }) => name === 'IsPrivilegedUser');
  const first = await runAll(privilege, context, ignored);
  if (hasPreflightErrors(first)) return first;
  const others = checks.filter((check) => !privilege.includes(check));
  const found = [...first, ...(await runAll(others, context, ignored))];
  // What an interrupted check found is no finding about the machine.
  request.signal?.throwIfAborted();
  return found;
}

export function hasPreflightErrors(findings: readonly PreflightFinding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

async function runAll(
  checks: readonly Check[],
  context: PreflightContext,
  ignored: ReadonlySet<string>,
): Promise<readonly PreflightFinding[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await runOne(check, context);
      return findings.map((finding) => decreased({ ...finding, name: check.name }, ignored));
    }),
  );
  return found.flat();
}

async function runOne(check: Check, context: PreflightContext): Promise<readonly Finding[]> {
  try {
    return await check.run(context);
  } catch (error) {
    // What cannot be checked is not known to be right.
    return [
      failure(
        `could not be checked: ${describeError(error)}`,
        `repair what the message names, or ignore the check with --ignore-preflight-errors=${check.name}`,
      ),
    ];
  }
}

function decreased(
  finding: Finding & { readonly name: string },
  ignored: ReadonlySet<string>,
): PreflightFinding {
  const isIgnored =
    finding.level === 'error' && (ignored.has('all') || ignored.has(finding.name.toLowerCase()));
  return isIgnored ? { ...finding, level: 'warning', isIgnored } : { ...finding, isIgnored };
}

/**
 * Tells findings in kubeadm's form, warnings before errors, each with its fix; the reporter's problems
 * go to standard error.
 */
export function reportPreflight(findings: readonly PreflightFinding[], reporter: Reporter): void {
  const tell = (wanted: Finding['level'], word: string) => {
    for (const { level, name, message, fix } of findings) {
      if (level !== wanted) continue;
      reporter.problem(`\t[${word} ${name}]: ${message}`);
      reporter.problem(`\t\tfix: ${fix}`);
    }
  };
  tell('warning', 'WARNING');
  if (!hasPreflightErrors(findings)) return;
  reporter.problem('[preflight] what stands in the way:');
  tell('error', 'ERROR');
  reporter.problem(
    '[preflight] `--ignore-preflight-errors=NAME` makes an error that you accept a warning',
  );
}

/** @throws PreflightError `bootstrap.preflight.failed` when a finding is an error */
export function demandPreflight(findings: readonly PreflightFinding[]): void {
  const names = findings.filter(({ level }) => level === 'error').map(({ name }) => name);
  if (names.length === 0) return;
  const code: BootstrapErrorCode = 'bootstrap.preflight.failed';
  throw new PreflightError(`check machine: ${[...new Set(names)].join(', ')}`, { code });
}
