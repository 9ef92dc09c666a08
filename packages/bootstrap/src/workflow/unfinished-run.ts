import type { HostFiles } from '@slipway/host';
import { kubernetesPaths } from '../facts/paths.ts';
import { makeClosedFolder } from './temporary-folder.ts';

/** Commands that leave a machine half done when they are broken off. */
export type ResumableCommand = 'init' | 'join';

/**
 * What the checks of preflight find because an earlier run of the same command was broken off: its own
 * files, and its own components on their ports. Beginnings of check names, in lower case.
 */
const ownTraces = ['fileavailable-', 'diravailable-', 'port-'];

function marker(command: ResumableCommand): string {
  return `${kubernetesPaths.temporary}/slipway-${command}-unfinished`;
}

/** True when an earlier run of the command began and did not end. */
export async function isUnfinished(files: HostFiles, command: ResumableCommand): Promise<boolean> {
  return (await files.stat(marker(command))) !== undefined;
}

/** Remembers that the command began to change the machine. */
export async function beginRun(files: HostFiles, command: ResumableCommand): Promise<void> {
  if (await isUnfinished(files, command)) return;
  await makeClosedFolder(files);
  const text = `slipway ${command} began here and has not ended: run it again, or slipway reset\n`;
  await files.write(marker(command), Buffer.from(text), { mode: 0o600, uid: 0, gid: 0 });
}

/** Forgets the run: it ended, or was undone. */
export async function endRun(files: HostFiles, command: ResumableCommand): Promise<void> {
  await files.remove(marker(command));
  await files.removeDirectory(kubernetesPaths.temporary);
}

/** True for checks that an unfinished run of ours makes fail by itself. */
export function isOwnTrace(checkName: string): boolean {
  return ownTraces.some((beginning) => checkName.toLowerCase().startsWith(beginning));
}
