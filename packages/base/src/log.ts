import { Secret } from './secret.ts';

/** Values that go beside a message; never formatted into it. Secrets print as `***`. */
export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Log once, at a boundary: a constant message plus fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger;
}

export type LogSink = (line: string) => void;

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

function plain(value: unknown): unknown {
  if (value instanceof Secret) return '***';
  if (value instanceof Error) {
    const cause = value.cause === undefined ? {} : { cause: plain(value.cause) };
    return { name: value.name, message: value.message, stack: value.stack, ...cause };
  }
  return value;
}

/** A logger that writes one JSON object per line to `sink`; lines below `level` are dropped. */
export function createLogger(
  sink: LogSink,
  level: LogLevel = 'info',
  base: LogFields = {},
): Logger {
  function write(at: LogLevel, message: string, fields: LogFields | undefined): void {
    if (order[at] < order[level]) return;
    const line: Record<string, unknown> = { time: new Date().toISOString(), level: at, message };
    for (const [key, value] of Object.entries({ ...base, ...fields })) line[key] = plain(value);
    sink(JSON.stringify(line));
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    child: (fields) => createLogger(sink, level, { ...base, ...fields }),
  };
}

/** Drops everything. */
export const silentLogger: Logger = createLogger(() => undefined, 'error');
