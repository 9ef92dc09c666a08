/** One entry of an Accept or Content-Type header. */
export type MediaType = {
  /** `application/json`, lower case. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** 0..1. */
  readonly quality: number;
};

function parseOne(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters: Record<string, string | undefined> = {};
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      const value = part.slice(equals + 1).replace(/^"(.*)"$/, '$1');
      parameters[part.slice(0, equals).toLowerCase()] = value;
    }
  }
  const quality = parameters['q'] === undefined ? 1 : Number(parameters['q']);
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The entries of a header, best first; those of equal quality stay in their order. */
export function parseAccept(header: string | undefined): readonly MediaType[] {
  if (header === undefined || header.trim() === '') return [parseOne('*/*')];
  return header
    .split(',')
    .map(parseOne)
    .filter((entry) => entry.quality > 0)
    .sort((a, b) => b.quality - a.quality);
}

/** The media type of a body; empty when the header is missing. */
export function contentTypeOf(header: string | undefined): string {
  return header === undefined ? '' : parseOne(header).type;
}

/** True when an entry covers `type`: itself, `application/*` or any. */
export function covers(entry: MediaType, type: string): boolean {
  return entry.type === type || entry.type === '*/*' || entry.type === `${type.split('/')[0]}/*`;
}
