import type { FindingName } from './codes.ts';

/** Why a text is no document. */
export type SyntaxFault = {
  readonly name: Extract<FindingName, 'json-syntax' | 'yaml-syntax' | 'config-empty' | 'too-deep'>;
  readonly message: string;
  /** UTF-16 offset of the fault; the length of the text for one that ends too early. */
  readonly offset: number;
  readonly hint?: string;
};
