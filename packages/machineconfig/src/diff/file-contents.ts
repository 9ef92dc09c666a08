import { type IgnitionContents, type IgnitionFile, tryDecodeContents } from '@slipway/ignition';

function sameSpelling(a: IgnitionContents | undefined, b: IgnitionContents | undefined): boolean {
  return (
    (a?.source ?? '') === (b?.source ?? '') && (a?.compression ?? '') === (b?.compression ?? '')
  );
}

/** True when both files end up with the same bytes, however their data URLs are spelled. */
export function sameContents(a: IgnitionFile, b: IgnitionFile): boolean {
  if (sameSpelling(a.contents, b.contents)) return true;
  const left = tryDecodeContents(a.contents);
  const right = tryDecodeContents(b.contents);
  // Contents that cannot be decoded differ from everything: validation reports them.
  if (!left.ok || !right.ok || left.bytes.length !== right.bytes.length) return false;
  return left.bytes.every((byte, index) => byte === right.bytes[index]);
}
