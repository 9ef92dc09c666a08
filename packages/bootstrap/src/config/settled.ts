import { hasErrors, type Issue } from '@slipway/base';
import type { ConfigurationKind } from './convert/converted.ts';
import { type Finding, placeFinding } from './finding.ts';
import type { LoadedFile } from './load.ts';

/** A configuration ready to work with, and everything that is to be said about it. No value when an issue is an error. */
export type Settled<T> = { readonly value?: T; readonly issues: readonly Issue[] };

/** Findings of the kinds of one file, each placed in its own document. */
export class FindingCollector {
  readonly #file: LoadedFile;
  readonly #issues: Issue[];

  constructor(file: LoadedFile) {
    this.#file = file;
    this.#issues = [...file.issues];
  }

  add(kind: ConfigurationKind, findings: readonly Finding[]): void {
    const origin = this.#file.documents[kind]?.origin;
    this.#issues.push(...findings.map((finding) => placeFinding(finding, origin)));
  }

  /** `value` unless something refuses it; issues in the order of the file. */
  settled<T>(value: T): Settled<T> {
    const issues = [...this.#issues].sort(byPlace);
    return hasErrors(issues) ? { issues } : { value, issues };
  }
}

function byPlace(left: Issue, right: Issue): number {
  return (left.line ?? Number.MAX_SAFE_INTEGER) - (right.line ?? Number.MAX_SAFE_INTEGER);
}
