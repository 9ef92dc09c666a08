import type { Issue } from '@slipway/base';
import type { ObjectMember, SourceText, SyntaxNode } from '@slipway/ignition';
import { type IssueCode, issueCode } from '../errors.ts';

/** Where something is: every node is a place, and so is a member by its key. */
export type ConversionPlace = Pick<SyntaxNode, 'range' | 'origin'>;

/** What is told about a place. */
export type Remark = { readonly message: string; readonly hint?: string };

/** The place of a member: its key, by the path of its value. */
export function placeOfMember({ range, value }: ObjectMember): ConversionPlace {
  return {
    ...(range && { range }),
    ...(value.origin !== undefined && { origin: value.origin }),
  };
}

/** The member's name as the user spelt it, wherever it has been moved since. */
export function spellingOf({ key, value }: ObjectMember): string {
  const origin = value.origin ?? key;
  return origin.endsWith(']') ? key : origin.slice(origin.lastIndexOf('.') + 1);
}

/** Collects what is told about the conversion of one document. */
export class ConversionReport {
  readonly source: SourceText | undefined;
  readonly #issues: Issue[] = [];
  #hasDropped = false;

  constructor(source: SourceText | undefined) {
    this.source = source;
  }

  /** Something has no counterpart and is left out. */
  dropped(place: ConversionPlace, remark: Remark): void {
    this.#hasDropped = true;
    this.#add(issueCode.convertDropped, 'warning', place, remark);
  }

  /** Something became something else. */
  changed(place: ConversionPlace, remark: Remark): void {
    this.#add(issueCode.convertChanged, 'info', place, remark);
  }

  /** Something means something else here. */
  differs(place: ConversionPlace, remark: Remark): void {
    this.#add(issueCode.convertDiffers, 'info', place, remark);
  }

  /** The document cannot be converted. */
  refuse(code: IssueCode, place: ConversionPlace, remark: Remark): void {
    this.#add(code, 'error', place, remark);
  }

  /** Takes over what lifting told: its warnings are about what was left out. */
  addLifting(issues: readonly Issue[]): void {
    this.#issues.push(...issues);
    this.#hasDropped ||= issues.some(({ severity }) => severity === 'warning');
  }

  /** Takes over what validation told, which leaves nothing out. */
  addValidation(issues: readonly Issue[]): void {
    this.#issues.push(...issues);
  }

  /** True when anything was left out. */
  get hasDropped(): boolean {
    return this.#hasDropped;
  }

  /** All that was told, in the order of the text where it is known. */
  issues(): readonly Issue[] {
    return this.#issues.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
  }

  #add(
    code: IssueCode,
    severity: Issue['severity'],
    { range, origin = '' }: ConversionPlace,
    remark: Remark,
  ): void {
    const position = range && this.source?.positionAt(range.start);
    this.#issues.push({ code, severity, path: origin, ...position, ...remark });
  }
}
