import {
  type MachineConfig,
  type MachineConfiguration,
  machineConfigurationApiVersion,
  machineConfigurationName,
  roleLabel,
} from '@slipway/api';

/** The file that the tour manages. */
export const chronyPath = '/etc/chrony.conf';

/** What the tour puts into it. */
export const chronyContent = [
  'server ntp1.example.com iburst',
  'server ntp2.example.com iburst',
  'driftfile /var/lib/chrony/drift',
  'makestep 1.0 3',
  'rtcsync',
  '',
].join('\n');

export const chronyConfigName = '99-worker-chrony';

/** A changed chrony.conf restarts chronyd and disrupts nothing else. */
export const disruptionPolicy: MachineConfiguration = {
  apiVersion: machineConfigurationApiVersion,
  kind: 'MachineConfiguration',
  metadata: { name: machineConfigurationName },
  spec: {
    defaultNodeDisruptionPolicySpecAction: {
      files: [{ type: 'None' }],
      units: [{ type: 'Reboot' }],
    },
    nodeDisruptionPolicy: {
      sshkey: { actions: [{ type: 'None' }] },
      files: [
        {
          path: chronyPath,
          actions: [
            { type: 'DaemonReload' },
            { type: 'Restart', restart: { serviceName: 'chronyd.service' } },
          ],
        },
      ],
    },
  },
};

/** The time servers of all workers. */
export const chronyConfig: MachineConfig = {
  apiVersion: machineConfigurationApiVersion,
  kind: 'MachineConfig',
  metadata: { name: chronyConfigName, labels: { [roleLabel]: 'worker' } },
  spec: {
    config: {
      ignition: { version: '3.4.0' },
      storage: {
        files: [
          {
            path: chronyPath,
            mode: 0o644,
            overwrite: true,
            contents: {
              source: `data:text/plain;charset=utf-8;base64,${Buffer.from(chronyContent).toString('base64')}`,
            },
          },
        ],
      },
    },
  },
};
