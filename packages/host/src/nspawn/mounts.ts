import { readFileSync } from 'node:fs';
import { need } from './need.ts';

/** Mount points below `directory`, innermost first. */
export function mountsBelow(directory: string): readonly string[] {
  const points: string[] = [];
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const point = unescapeOctal(line.split(' ')[4] ?? '');
    if (point.startsWith(`${directory}/`)) points.push(point);
  }
  return points.reverse();
}

/** Blanks in mount points are written as octal numbers. */
function unescapeOctal(text: string): string {
  return text.replaceAll(/\\(?<octal>[0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Unmounts everything below `directory`. */
export async function unmountBelow(directory: string): Promise<void> {
  for (const point of mountsBelow(directory)) {
    await need('host.nspawn.start', ['umount', point]);
  }
}

export type Layers = {
  readonly lower: string;
  readonly upper: string;
  readonly work: string;
  readonly merged: string;
};

/** Mounts a writable layer above an image that stays as it is. */
export async function mountOverlay(layers: Layers): Promise<void> {
  const { lower, upper, work, merged } = layers;
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  await need('host.nspawn.start', ['mount', '-t', 'overlay', 'overlay', '-o', options, merged]);
}
