import { UserError } from '@slipway/base';
import type { PkiErrorCode } from './errors.ts';

/** One element of an encoded structure. */
export type DerElement = {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
};

/**
 * The elements that stand one after the other in `bytes`: the members of a sequence, when given its
 * content. Of tags, the short form only. Throws a UserError where a length leads out of `bytes`.
 */
export function readDerElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let start = 0; start < bytes.length; ) {
    const element = readElement(bytes, start);
    elements.push(element);
    start += element.whole.length;
  }
  return elements;
}

function readElement(bytes: Buffer, start: number): DerElement {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined) throw cut();
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const head = start + 2 + lengthBytes;
  if (lengthBytes > 4 || head > bytes.length) throw cut();
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes);
  const end = head + length;
  if (end > bytes.length) throw cut();
  return { tag, content: bytes.subarray(head, end), whole: bytes.subarray(start, end) };
}

function cut(): UserError {
  const code: PkiErrorCode = 'pki.certificate.unreadable';
  return new UserError('read certificate: its structure is cut off', { code });
}
