import type { Reporter } from '../ground.ts';

/** A reporter whose lines a test reads: `[phase] text`, `! problem`, or the line itself. */
export function recordingReporter(): { readonly reporter: Reporter; readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    reporter: {
      phase: (phase, text) => void lines.push(`[${phase}] ${text}`),
      problem: (text) => void lines.push(`! ${text}`),
      line: (text = '') => void lines.push(text),
    },
  };
}
