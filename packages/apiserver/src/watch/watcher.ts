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
  /** `blocked`: the peer reads too slowly. */
  #state: 'open' | 'blocked' | 'closed' = 'open';

  constructor(sink: WatchSink, backlog: Iterator<Buffer>, onClose: () => void) {
    this.#sink = sink;
    this.#backlog = backlog;
    this.#onClose = onClose;
    sink.onDrain(() => {
      if (this.#state === 'blocked') this.#state = 'open';
      this.#pump();
    });
  }

  /** Starts to write the backlog. */
  start(): void {
    this.#pump();
  }

  /** Queues or writes one live line. */
  push(line: Buffer): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'open' && this.#backlog === undefined) {
      this.#write(line);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes > bufferLimitBytes) this.close();
  }

  /** Ends the stream; idempotent. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#backlog = undefined;
    this.#waiting = [];
    this.#onClose();
    this.#sink.end();
  }

  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #write(bytes: Buffer): void {
    const accepted = this.#sink.write(bytes);
    if (!accepted && this.#isOpen()) this.#state = 'blocked';
  }

  #pump(): void {
    while (this.#isOpen() && this.#backlog !== undefined) {
      const next = this.#backlog.next();
      if (next.done === true) this.#backlog = undefined;
      else this.#write(next.value);
    }
    while (this.#isOpen() && this.#waiting.length > 0) {
      const waiting = Buffer.concat(this.#waiting);
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#write(waiting);
    }
  }
}
