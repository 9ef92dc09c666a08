import { readFile } from 'node:fs/promises';

/**
 * Mount points of this machine that lie inside `root`, as that root sees them, in the order in which they
 * were mounted. Empty where the kernel does not tell.
 */
export async function mountPointsIn(root: string): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  return parseMountPoints(text, root);
}

/** See `mountPointsIn`; spaces are written as `\040` and so on. */
export function parseMountPoints(text: string, root: string): readonly string[] {
  const prefix = root === '/' ? '' : root;
  return text
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .map((path) =>
      path.replace(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    )
    .filter((path) => path.startsWith(`${prefix}/`))
    .map((path) => path.slice(prefix.length));
}
