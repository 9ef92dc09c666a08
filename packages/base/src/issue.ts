/** How much an issue matters: an `error` refuses the input, a `warning` is shown, `info` explains. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * One finding of a validation. Validators collect issues and never throw; the same shape serves
 * the CLI, admission, preflight and the dashboard.
 */
export type Issue = {
  /** Stable code of the room's catalogue, e.g. `ignition.file.mode-too-large`. */
  readonly code: string;
  readonly severity: Severity;
  /** JSON path in Kubernetes spelling: `spec.config.storage.files[0].mode`; empty for the whole document. */
  readonly path: string;
  /** One-based position in the user's own text, where the text is known. */
  readonly line?: number;
  readonly column?: number;
  /** What is wrong and why, lower case, without the path. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
};

/** True when any issue refuses the input. */
export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.severity === 'error');
}

/** One line: `path: message (hint)`. */
export function formatIssue(issue: Issue): string {
  const where = issue.path === '' ? '' : `${issue.path}: `;
  const hint = issue.hint === undefined ? '' : ` (${issue.hint})`;
  return `${where}${issue.message}${hint}`;
}
