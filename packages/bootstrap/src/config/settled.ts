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
  /** Places whose value could not be read: what stands in for it breaks rules, and the user wrote none of it. */
  readonly #unread: ReadonlySet<string>;

  constructor(file: LoadedFile) {
    this.#file = file;
    this.#issues = [...file.issues];
    this.#unread = new Set(file.issues.filter(isUnread).map(placeOf));
  }

  add(kind: ConfigurationKind, findings: readonly Finding[]): void {
    const origin = this.#file.documents[kind]?.origin;
    const placed = findings.map((finding) => placeFinding(finding, origin));
    this.#issues.push(...placed.filter((issue) => !this.#unread.has(placeOf(issue))));
  }

  /** `value` unless something refuses it; issues in the order of the file. */
  settled<T>(value: T): Settled<T> {
    const issues = [...this.#issues].sort(byPlace);
    return hasErrors(issues) ? { issues } : { value, issues };
  }
}

function isUnread({ code }: Issue): boolean {
  return code === 'bootstrap.config.wrong-type';
}

function placeOf({ path, line, column }: Issue): string {
  return `${line}:${column} ${path}`;
}

function byPlace(left: Issue, right: Issue): number {
  return (left.line ?? Number.MAX_SAFE_INTEGER) - (right.line ?? Number.MAX_SAFE_INTEGER);
}
