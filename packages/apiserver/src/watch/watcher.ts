/** Where the lines of a watch go. */
export type WatchSink = {
  /** False: the peer reads too slowly; `onDrain` tells when to go on. */
  write(line: Buffer): boolean;
  onDrain(resume: () => void): void;
  end(): void;
};

/** Bytes that wait for a slow peer before its watch is ended; it resumes from its last revision. */
const bufferLimitBytes = 4 * 1024 * 1024;

/** One open watch: first its backlog, then live lines, never more in memory than the limit. */
export class Watcher {
  readonly #sink: WatchSink;
  readonly #onClose: () => void;
  #backlog: Iterator<Buffer> | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #blocked = false;
  #closed = false;

  constructor(sink: WatchSink, backlog: Iterator<Buffer>, onClose: () => void) {
    this.#sink = sink;
    this.#backlog = backlog;
    this.#onClose = onClose;
    sink.onDrain(() => {
      this.#blocked = false;
      this.#pump();
    });
  }

  /** Starts to write the backlog. */
  start(): void {
    this.#pump();
  }

  /** Queues or writes one live line. */
  push(line: Buffer): void {
    if (this.#closed) return;
    if (this.#backlog === undefined && !this.#blocked) {
      this.#blocked = !this.#sink.write(line);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes > bufferLimitBytes) this.close();
  }

  /** Ends the stream; idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#backlog = undefined;
    this.#waiting = [];
    this.#onClose();
    this.#sink.end();
  }

  #pump(): void {
    while (!this.#closed && !this.#blocked && this.#backlog !== undefined) {
      const next = this.#backlog.next();
      if (next.done === true) this.#backlog = undefined;
      else this.#blocked = !this.#sink.write(next.value);
    }
    while (!this.#closed && !this.#blocked && this.#waiting.length > 0) {
      const waiting = Buffer.concat(this.#waiting);
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#blocked = !this.#sink.write(waiting);
    }
  }
}
