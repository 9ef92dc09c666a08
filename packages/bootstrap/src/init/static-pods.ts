import type { ControlPlaneComponent } from '../facts/paths.ts';
import { writeComponents, writeEtcdPod } from '../workflow/static-pods.ts';
import type { InitData } from './data.ts';

export async function writeComponent(
  data: InitData,
  component: ControlPlaneComponent,
): Promise<void> {
  await writeComponents([component], data.settings, data);
}

export async function writeEtcd(data: InitData): Promise<void> {
  await writeEtcdPod(data.settings, data);
}
