import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger, VirtualClock } from '@slipway/base';
import {
  createRootFolderFiles,
  describedMachine,
  type MachineDescription,
  type RunProgram,
  type Systemd,
} from '@slipway/host';
import type { Ground } from '../../workflow/ground.ts';
import type { Check, Finding } from '../check.ts';
import { createPreflightContext } from '../preflight-context.ts';

/** A host by description: what is left out is healthy or absent. */
export type HostDescription = {
  readonly machine?: MachineDescription;
  /** Text of files by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Directories with nothing in them. */
  readonly directories?: readonly string[];
  /** Targets of symlinks by path. */
  readonly links?: Readonly<Record<string, string>>;
  /** Version of the kubelet, `v1.37.2`; null: there is none. Absent: no program is run. */
  readonly kubelet?: string | null;
  readonly systemd?: Systemd;
  readonly variables?: Ground['variables'];
  /** In ms since the epoch. */
  readonly now?: number;
};

/** Ground of a described host; disposal removes its folder. */
export function describedGround(description: HostDescription): Ground & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'slipway-preflight-'));
  for (const [path, text] of Object.entries(description.files ?? {})) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of description.directories ?? []) {
    mkdirSync(join(root, path), { recursive: true });
  }
  for (const [path, target] of Object.entries(description.links ?? {})) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  const files = createRootFolderFiles({ root, userId: process.getuid?.() ?? 0 });
  if (files === undefined) throw new TypeError(`open ${root}: no such directory`);
  const { machine, kubelet, systemd, variables = {}, now = 0 } = description;
  return {
    files,
    machine: describedMachine(machine),
    ...(systemd === undefined ? {} : { systemd }),
    ...(kubelet === undefined ? {} : { run: kubeletOnly(kubelet) }),
    clock: new VirtualClock(now),
    logger: silentLogger,
    variables,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Findings of one check on a described host. */
export async function findingsOf(
  check: Check,
  description: HostDescription = {},
): Promise<readonly Finding[]> {
  using ground = describedGround(description);
  const findings = await check.run(createPreflightContext({ ground }));
  for (const { fix } of findings) if (fix === '') throw new TypeError(`${check.name}: no fix`);
  return findings;
}

/** Findings of one check on a described host, as `level: message`. */
export async function found(
  check: Check,
  description: HostDescription,
): Promise<readonly string[]> {
  const findings = await findingsOf(check, description);
  return findings.map(({ level, message }) => `${level}: ${message}`);
}

function kubeletOnly(version: string | null): RunProgram {
  return async ([program]) => {
    if (program !== 'kubelet' || version === null) throw new Error(`spawn ${program} ENOENT`);
    return { exitCode: 0, signal: undefined, stdout: `Kubernetes ${version}\n`, stderr: '' };
  };
}
