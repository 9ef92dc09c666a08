import type { Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Answer } from './answer.ts';
import type { Incoming, Outgoing } from './incoming.ts';

const gzipFromLength = 128 * 1024;
const pieceLength = 256 * 1024;

type BodyAnswer = Extract<Answer, { kind: 'body' }>;
type StreamAnswer = Extract<Answer, { kind: 'stream' }>;

/** What clients show at once; a body can be wrong in very many places. */
const maxWarnings = 50;
const maxWarningLength = 1024;

/** Text as a header carries it: UTF-8, one byte a character, without what ends or garbles a line. */
function headerText(text: string): string {
  const line = text.slice(0, maxWarningLength).replace(/[\\"]/g, '\\$&');
  const bytes = Buffer.from(line.toWellFormed(), 'utf8').toString('latin1');
  return bytes.replace(/[^\x20-\x7e\x80-\xff]+/g, ' ');
}

/** `Warning:` values: code 299, no agent, quoted text; the first 50. */
function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)];
  const more = texts.length - maxWarnings;
  const shown = more > 0 ? [...texts.slice(0, maxWarnings), `${more} more warnings`] : texts;
  return shown.map((text) => `299 - "${headerText(text)}"`);
}

/** Joins small texts, so that few writes carry many items. */
function* pieces(body: Iterable<string>): Generator<string> {
  let parts: string[] = [];
  let length = 0;
  for (const text of body) {
    parts.push(text);
    length += text.length;
    if (length < pieceLength) continue;
    yield parts.join('');
    parts = [];
    length = 0;
  }
  if (parts.length > 0) yield parts.join('');
}

function drained(target: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      target.off('drain', done);
      target.off('close', done);
      resolve();
    };
    target.on('drain', done);
    target.on('close', done);
  });
}

function isGone(response: Outgoing): boolean {
  return response.destroyed || response.writableEnded;
}

async function writePieces(
  response: Outgoing,
  target: Writable,
  body: Iterable<string>,
): Promise<void> {
  for (const piece of body) {
    if (isGone(response)) return;
    if (!target.write(piece)) await drained(target);
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

function headersOf(answer: BodyAnswer): Record<string, string | string[]> {
  const warnings = warningHeaders(answer.warnings ?? []);
  return {
    'cache-control': 'no-cache, private',
    ...answer.headers,
    ...(answer.code === 304 ? {} : { 'content-type': answer.contentType }),
    ...(warnings.length === 0 ? {} : { warning: warnings }),
  };
}

async function writeLarge(
  request: Incoming,
  response: Outgoing,
  answer: BodyAnswer,
  body: Iterable<string>,
): Promise<void> {
  const headers = headersOf(answer);
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    response.writeHead(answer.code, headers);
    await writePieces(response, response, body);
    response.end();
    return;
  }
  response.writeHead(answer.code, {
    ...headers,
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
  });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.pipe(response);
  await writePieces(response, gzip, body);
  gzip.end();
}

async function writeBody(request: Incoming, response: Outgoing, answer: BodyAnswer): Promise<void> {
  const iterator = pieces(answer.body);
  const first = iterator.next();
  const start = first.done === true ? '' : first.value;
  if (start.length >= gzipFromLength) {
    await writeLarge(request, response, answer, prepend(start, iterator));
    return;
  }
  const bytes = Buffer.from(start);
  const length = answer.code === 304 ? {} : { 'content-length': String(bytes.length) };
  response.writeHead(answer.code, { ...headersOf(answer), ...length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function* prepend(first: string, rest: Iterable<string>): Generator<string> {
  yield first;
  yield* rest;
}

function writeStream(response: Outgoing, answer: StreamAnswer): void {
  response.writeHead(200, {
    'cache-control': 'no-cache, private',
    'content-type': answer.contentType,
  });
  // The client waits for the headers before it trusts the watch.
  response.flushHeaders();
  const open = answer.open({
    write: (line) => (isGone(response) ? true : response.write(line)),
    onDrain: (resume) => response.on('drain', resume),
    end: () => {
      if (!isGone(response)) response.end();
    },
  });
  response.on('close', () => open[Symbol.dispose]());
}

/** Sends an answer; resolves when all of it is handed over (for a stream: when it is open). */
export async function writeAnswer(
  request: Incoming,
  response: Outgoing,
  answer: Answer,
): Promise<void> {
  if (isGone(response)) return;
  if (answer.kind === 'stream') writeStream(response, answer);
  else await writeBody(request, response, answer);
}
