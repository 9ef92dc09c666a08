import { encodeBase64 } from './base64.ts';
import { parse } from './parse.ts';
import { readIgnition } from './read-ignition.ts';

type Figure = { readonly name: string; readonly value: number; readonly unit: string };

const targetBytes = 1024 * 1024;
const rounds = 15;

/** Median time from the text of a MachineConfig's Ignition config of 1 MiB to its issues and typed model. */
export function bench(): readonly Figure[] {
  const text = configOf(targetBytes);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const [tree] = parse(text).documents;
    const accepted = tree !== undefined && readIgnition(tree).config !== undefined;
    times.push(performance.now() - start);
    if (!accepted) throw new Error('validate 1 MiB: the config of the bench is refused');
  }
  times.sort((a, b) => a - b);
  const value = Number((times[rounds >> 1] ?? 0).toFixed(2));
  return [{ name: 'validate.1mib_ms', value, unit: 'ms' }];
}

/** A config as they are: files of a few KiB, most in base64, and units with drop-ins. */
function configOf(bytes: number): string {
  const lines = Array.from({ length: 60 }, (_, index) => `option-${index} = value of ${index}\n`);
  const content = new TextEncoder().encode(lines.join(''));
  const base64 = `data:text/plain;charset=utf-8;base64,${encodeBase64(content)}`;
  const percent = `data:,${encodeURIComponent(lines.join('')).replaceAll(/['()]/g, '')}`;
  const unit = `[Unit]\nDescription=x\n\n[Service]\n${'Environment=NAME=value\n'.repeat(40)}\n[Install]\nWantedBy=multi-user.target\n`;
  const files: unknown[] = [];
  const units: unknown[] = [];
  let size = 0;
  for (let index = 0; size < bytes; index += 1) {
    const source = index % 4 === 0 ? percent : base64;
    files.push({ path: `/etc/bench.d/${index}.conf`, mode: 420, contents: { source } });
    units.push({ name: `bench-${index}.service`, enabled: true, contents: unit });
    size += source.length + unit.length + 200;
  }
  const config = { ignition: { version: '3.4.0' }, storage: { files }, systemd: { units } };
  return JSON.stringify(config, undefined, 1);
}
