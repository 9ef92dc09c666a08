/** What the base image holds beside Debian's packages. A change of anything here builds a new image. */
export const imagePackages: readonly string[] = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'chrony',
  'iproute2',
  'procps',
  'libstdc++6',
];

/** Units that cost time at boot and do nothing for a test host. */
export const maskedUnits: readonly string[] = [
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'dpkg-db-backup.timer',
  'e2scrub_all.timer',
  'e2scrub_reap.service',
  'fstrim.timer',
  'getty.target',
  'systemd-resolved.service',
  'systemd-networkd-wait-online.service',
];

/** Debian's chrony has another name and another configuration file than the configurations of this field expect. */
export const disabledUnits: readonly string[] = ['chrony.service'];

export const enabledUnits: readonly string[] = ['chronyd.service', 'systemd-networkd.service'];

export const imageFiles: Readonly<Record<string, string>> = {
  // `-x`: a machine in a container must never set the clock of the computer it runs on.
  'usr/lib/systemd/system/chronyd.service': `[Unit]
Description=NTP client/server
Conflicts=chrony.service
After=network.target

[Service]
ExecStart=/usr/sbin/chronyd -n -x -u root -f /etc/chrony.conf
RuntimeDirectory=chrony
RuntimeDirectoryMode=0700

[Install]
WantedBy=multi-user.target
`,
  'etc/chrony.conf': `# Time servers of the vendor.
pool 2.pool.ntp.org iburst
driftfile /var/lib/chrony/drift
makestep 1.0 3
rtcsync
`,
  // Test hosts are stopped often; a stuck service must not hold one for the usual 90 s.
  'etc/systemd/system.conf.d/10-slipway.conf': '[Manager]\nDefaultTimeoutStopSec=5s\n',
  'etc/machine-id': '',
};

/** The user whose SSH keys machine configuration manages. */
export const bootUser = { name: 'boot', id: 1000, home: '/home/boot' } as const;
