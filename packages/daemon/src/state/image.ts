/**
 * What is, was or should be at one path. Digests are `sha256:<hex>`. Serialisable: images go into
 * the journal, so that an update can be completed or undone by a process that did not begin it.
 */
export type Image =
  | { readonly type: 'absent' }
  | {
      readonly type: 'file';
      readonly digest: string;
      readonly sizeBytes: number;
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
    }
  | { readonly type: 'symlink'; readonly target: string }
  | {
      readonly type: 'directory';
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
    }
  | { readonly type: 'other' };

/** The image of a path at which there is nothing. */
export const absent: Image = { type: 'absent' };

/** True when both images describe the same thing, byte for byte and bit for bit. */
export function sameImage(a: Image, b: Image): boolean {
  if (a.type === 'file' && b.type === 'file') {
    return a.digest === b.digest && sameAttributes(a, b);
  }
  if (a.type === 'directory' && b.type === 'directory') return sameAttributes(a, b);
  if (a.type === 'symlink' && b.type === 'symlink') return a.target === b.target;
  return a.type === b.type;
}

type Attributes = { readonly mode: number; readonly uid: number; readonly gid: number };

function sameAttributes(a: Attributes, b: Attributes): boolean {
  return a.mode === b.mode && a.uid === b.uid && a.gid === b.gid;
}
