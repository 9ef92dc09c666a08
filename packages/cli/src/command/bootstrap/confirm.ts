import { createInterface } from 'node:readline/promises';
import type { CommandContext } from '../program.ts';

/** Asks on standard error and reads one line of standard input; its end is a no. */
export async function confirm(question: string, { environment }: CommandContext): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await Promise.race([
      lines.question(question, { signal: environment.interrupted }),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
