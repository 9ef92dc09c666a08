import type { WatchSink } from '../watch/watcher.ts';

/** What goes back to the client. */
export type Answer =
  | {
      readonly kind: 'body';
      readonly code: number;
      readonly contentType: string;
      /** In pieces, so that a big list is never one string. */
      readonly body: Iterable<string>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly warnings?: readonly string[];
    }
  | {
      readonly kind: 'stream';
      readonly contentType: string;
      /** Starts to write; disposing ends it. */
      readonly open: (sink: WatchSink) => Disposable;
    };

const jsonType = 'application/json';

/** JSON text as it is. */
export function jsonText(code: number, text: string, warnings: readonly string[] = []): Answer {
  return { kind: 'body', code, contentType: jsonType, body: [text], warnings };
}

/** A value as JSON. */
export function json(code: number, value: unknown, warnings: readonly string[] = []): Answer {
  return jsonText(code, JSON.stringify(value), warnings);
}

/** Plain text. */
export function plainText(code: number, text: string): Answer {
  return { kind: 'body', code, contentType: 'text/plain; charset=utf-8', body: [text] };
}
