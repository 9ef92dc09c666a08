import type { Issue, Severity } from '@slipway/base';
import type { ConfigurationCode } from './codes.ts';
import { formatPath, locate, type Path, type SourceNode } from './document/source-node.ts';

/** A finding of a rule, before it is known where in the user's text it is. */
export type Finding = {
  readonly code: ConfigurationCode;
  readonly severity: Severity;
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
};

/** Places findings in the text: from the paths of v1beta4 back to what the user wrote. */
export type Origin = {
  readonly node: SourceNode;
  /** The path in the user's own version of the API; the same when absent. */
  readonly sourcePath?: (path: Path) => Path;
};

/** An Issue of a finding, with line and column where the document is known. */
export function placeFinding(finding: Finding, origin: Origin | undefined): Issue {
  const { code, severity, message, hint, path } = finding;
  const sourcePath = origin?.sourcePath?.(path) ?? path;
  return {
    code,
    severity,
    path: formatPath(sourcePath),
    ...(origin === undefined ? {} : locate(origin.node, sourcePath)),
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}
