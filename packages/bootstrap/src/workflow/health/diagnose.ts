import { describeError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { readHostText } from '../../host-text/read-host-text.ts';
import type { Ground } from '../ground.ts';
import { lastLogLines, tellingJournalLines } from './log-lines.ts';

const podLogs = '/var/log/pods';
const containerLogs = '/var/log/containers';

/**
 * Why the container of a static pod may not run: the last lines of its log, and what the kubelet says
 * of it. Never fails: what cannot be found out is told.
 */
export async function diagnoseComponent(
  ground: Ground,
  component: string,
): Promise<readonly string[]> {
  const log = await newestLog(ground.files, component);
  const lines =
    log === undefined
      ? [`no container of it has a log below ${podLogs}: the kubelet never started it`]
      : [`last lines of ${log.path}:`, ...lastLogLines(log.text).map((line) => `  ${line}`)];
  return [...lines, ...(await kubeletSays(ground, component))];
}

/** What the kubelet's own journal says, about one component or at all. */
export async function kubeletSays(ground: Ground, component?: string): Promise<readonly string[]> {
  if (ground.run === undefined) return ['the journal of the kubelet cannot be read from here'];
  const argv = ['journalctl', '-u', 'kubelet', '-n', '200', '--no-pager', '-o', 'cat'];
  try {
    const { stdout } = await ground.run(argv, { timeoutMs: 10_000 });
    const lines = tellingJournalLines(stdout, component);
    if (lines.length === 0) return ['the journal of the kubelet is empty: it was never started'];
    return ['the kubelet says:', ...lines.map((line) => `  ${line}`)];
  } catch (error) {
    return [`the journal of the kubelet cannot be read: ${describeError(error)}`];
  }
}

type FoundLog = { readonly path: HostPath; readonly text: string };

async function newestLog(files: HostFiles, component: string): Promise<FoundLog | undefined> {
  const candidates = [
    ...(await podLogFiles(files, component)),
    ...(await containerLogFiles(files, component)),
  ];
  let newest: { readonly path: HostPath; readonly mtimeMs: number } | undefined;
  for (const path of candidates) {
    const mtimeMs = (await files.stat(path))?.mtimeMs ?? 0;
    if (newest === undefined || mtimeMs > newest.mtimeMs) newest = { path, mtimeMs };
  }
  if (newest === undefined) return undefined;
  const text = await readHostText(files, newest.path).catch(() => undefined);
  return text === undefined ? undefined : { path: newest.path, text };
}

/** `/var/log/pods/kube-system_etcd-cp1_<uid>/etcd/0.log`. */
async function podLogFiles(files: HostFiles, component: string): Promise<readonly HostPath[]> {
  const found: HostPath[] = [];
  for (const pod of await namesIn(files, podLogs)) {
    if (!pod.startsWith(`kube-system_${component}-`)) continue;
    const folder = `${podLogs}/${pod}/${component}`;
    const logs = (await namesIn(files, folder)).filter((name) => name.endsWith('.log'));
    found.push(...logs.map((name) => `${folder}/${name}`));
  }
  return found;
}

/** `/var/log/containers/etcd-cp1_kube-system_etcd-<id>.log`. */
async function containerLogFiles(
  files: HostFiles,
  component: string,
): Promise<readonly HostPath[]> {
  return (await namesIn(files, containerLogs))
    .filter(
      (name) => name.startsWith(`${component}-`) && name.includes(`_kube-system_${component}-`),
    )
    .map((name) => `${containerLogs}/${name}`);
}

async function namesIn(files: HostFiles, directory: HostPath): Promise<readonly string[]> {
  return await files.list(directory).catch(() => []);
}
