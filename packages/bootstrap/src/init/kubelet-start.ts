import { writeKubeletFiles } from '../kubelet/write-kubelet-files.ts';
import { changeKubelet } from '../workflow/kubelet-service.ts';
import type { InitData } from './data.ts';

/** Writes the kubelet's files while it stands still, and starts it. */
export async function startKubelet(data: InitData): Promise<void> {
  const surroundings = { ...data, isDryRun: data.options.isDryRun };
  await changeKubelet('stop', 'kubelet-start', surroundings);
  await writeKubeletFiles(data.settings, { ...data, registerTaints: false });
  await changeKubelet('start', 'kubelet-start', surroundings);
}
