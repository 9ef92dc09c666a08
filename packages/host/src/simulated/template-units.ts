/** Vendor units of a simulated host: enough of a node for machine configuration to have something to act on. */
export const vendorUnits: Readonly<Record<string, string>> = {
  'sysinit.target': '[Unit]\nDescription=System Initialization\n',
  'basic.target':
    '[Unit]\nDescription=Basic System\nRequires=sysinit.target\nAfter=sysinit.target\n',
  'network.target': '[Unit]\nDescription=Network\n',
  'network-online.target': '[Unit]\nDescription=Network is Online\nAfter=network.target\n',
  'multi-user.target':
    '[Unit]\nDescription=Multi-User System\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\n',
  'reboot.target': '[Unit]\nDescription=System Reboot\nAllowIsolate=yes\n',
  'systemd-journald.service':
    '[Unit]\nDescription=Journal Service\n\n[Service]\nType=notify\nExecStart=/usr/lib/systemd/systemd-journald\n',
  'systemd-sysctl.service':
    '[Unit]\nDescription=Apply Kernel Variables\nBefore=sysinit.target\n\n' +
    '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/lib/systemd/systemd-sysctl\n',
  'chronyd.service': daemon('NTP client/server', '/usr/sbin/chronyd -n', {
    after: 'network.target',
  }),
  'sshd.service': daemon('OpenSSH server daemon', '/usr/sbin/sshd -D', {
    after: 'network.target',
    reload: '/bin/kill -HUP $MAINPID',
  }),
  'crond.service': daemon('Command Scheduler', '/usr/sbin/crond -n'),
  'containerd.service': daemon('containerd container runtime', '/usr/bin/containerd'),
  'kubelet.service': daemon('Kubernetes node agent', '/usr/bin/kubelet', {
    after: 'containerd.service',
  }),
  'getty@.service':
    '[Unit]\nDescription=Getty on %I\n\n[Service]\nExecStart=/sbin/agetty %I\n\n' +
    '[Install]\nWantedBy=multi-user.target\nDefaultInstance=tty1\n',
};

/** Vendor units that are enabled on a new host. */
export const enabledUnits: readonly string[] = [
  'chronyd.service',
  'containerd.service',
  'kubelet.service',
  'sshd.service',
];

export const vendorPresets: Readonly<Record<string, string>> = {
  '90-default.preset': `${enabledUnits.map((unit) => `enable ${unit}`).join('\n')}\n`,
  '99-default-disable.preset': 'disable *\n',
};

type DaemonOptions = { readonly after?: string; readonly reload?: string };

function daemon(description: string, command: string, options: DaemonOptions = {}): string {
  const after = options.after === undefined ? '' : `After=${options.after}\n`;
  const reload = options.reload === undefined ? '' : `ExecReload=${options.reload}\n`;
  return (
    `[Unit]\nDescription=${description}\n${after}\n` +
    `[Service]\nExecStart=${command}\n${reload}Restart=on-failure\n\n` +
    '[Install]\nWantedBy=multi-user.target\n'
  );
}
