import type { Writable } from 'node:stream';

/** The only writer to the console. Answers go to standard output, everything about them to standard error. */
export interface Output {
  /** True when a person looks at standard output. */
  readonly isTerminal: boolean;
  /** Width in characters; 80 where there is no terminal. */
  readonly columns: number;
  /** One or more lines of the answer. */
  line(text?: string): void;
  /** A part of the answer that brings its own ends of lines. */
  text(text: string): void;
  /** kubeadm's form: `[phase] text`. */
  phase(phase: string, text: string): void;
  /** Something to know or to act on that is not the answer. */
  problem(text: string): void;
  /**
   * Shows `lines` where the last `redraw` showed its own. For terminals only.
   */
  redraw(lines: readonly string[]): void;
  /** Leaves what was redrawn as it is; the next `redraw` begins below. */
  endRedraw(): void;
}

type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const escapeCharacter = String.fromCharCode(27);

/** An Output on two streams, which are the process's own but for tests. */
export function createOutput(stdout: Terminal, stderr: Writable): Output {
  let drawn: readonly string[] = [];
  const isTerminal = stdout.isTTY === true;

  function redrawTerminal(lines: readonly string[]): void {
    const up = drawn.length === 0 ? '' : `${escapeCharacter}[${drawn.length}A`;
    const width = stdout.columns ?? 80;
    const text = lines.map((line) => `${escapeCharacter}[2K${cut(line, width)}\n`).join('');
    // What the last picture had more of is wiped.
    stdout.write(`${up}${text}${escapeCharacter}[0J`);
  }

  return {
    isTerminal,
    get columns() {
      return stdout.columns ?? 80;
    },
    line: (text = '') => void stdout.write(`${text}\n`),
    text: (text) => void stdout.write(text),
    phase: (phase, text) => void stdout.write(`[${phase}] ${text}\n`),
    problem: (text) => void stderr.write(`${text}\n`),
    redraw(lines) {
      redrawTerminal(lines);
      drawn = lines;
    },
    endRedraw() {
      drawn = [];
    },
  };
}

/** Cuts a line to the width of the terminal, so that it never wraps and spoils the next redraw. */
function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
