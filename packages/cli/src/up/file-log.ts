import { createWriteStream } from 'node:fs';
import { createLogger, type Logger, type LogLevel } from '@slipway/base';

/** A logger that appends JSON lines to a file, and its end. */
export type FileLog = { readonly logger: Logger; close(): Promise<void> };

/** Opens `path` for appending; the folder must exist. A log that cannot be written never stops the program. */
export function openFileLog(path: string, level: LogLevel = 'info'): FileLog {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  stream.on('error', () => undefined);
  const logger = createLogger((line) => void stream.write(`${line}\n`), level);
  return { logger, close: () => new Promise((resolve) => stream.end(() => resolve())) };
}
