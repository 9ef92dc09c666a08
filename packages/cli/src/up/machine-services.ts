import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { machineBundlePath, machineNodePath } from '@slipway/host';
import type { JoinSettings } from '../host-program/join-settings.ts';
import { writePrivateFile } from './private-file.ts';

const program = `${machineNodePath} ${machineBundlePath}/slipway.mjs`;
const settingsPath = '/etc/slipway/join.json';

function unit(description: string, command: string): string {
  return [
    '[Unit]',
    `Description=${description}`,
    'After=network.target',
    // However often it is killed, it comes back: nobody else would tell the cluster what the host does.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${command}`,
    'Restart=always',
    'RestartSec=1',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

/**
 * Writes into the root of a machine that is off what it runs: the stand-in kubelet and the machine
 * config daemon as services, and how to join.
 */
export async function installServices(root: string, settings: JoinSettings): Promise<void> {
  const { nodeName } = settings;
  const services = {
    'slipway-kubelet-stand-in.service': unit(
      'Stand-in kubelet of slipway try mode',
      `${program} kubelet-stand-in --config ${settingsPath}`,
    ),
    'machine-config-daemon.service': unit(
      'Machine config daemon of slipway',
      `${program} machine-config daemon --node-name ${nodeName}`,
    ),
  };
  const wanted = join(root, 'etc/systemd/system/multi-user.target.wants');
  await mkdir(wanted, { recursive: true });
  for (const [name, content] of Object.entries(services)) {
    await writeFile(join(root, 'etc/systemd/system', name), content);
    await rm(join(wanted, name), { force: true });
    await symlink(`/etc/systemd/system/${name}`, join(wanted, name));
  }
  await writePrivateFile(join(root, settingsPath), JSON.stringify(settings));
}
