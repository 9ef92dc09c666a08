/** A file of a new simulated host. Mode 0644 unless given; owner root unless given. */
export type TemplateFile = {
  readonly path: string;
  readonly content: string;
  readonly mode?: number;
};

export type TemplateDirectory = {
  readonly path: string;
  readonly mode?: number;
  /** User and group id; default root. */
  readonly owner?: number;
};

/** The user whose SSH keys machine configuration manages. */
export const bootUserId = 1000;

export const directories: readonly TemplateDirectory[] = [
  { path: 'boot' },
  { path: 'dev' },
  { path: 'etc/motd.d' },
  { path: 'etc/ssh' },
  { path: 'etc/sysctl.d' },
  { path: 'etc/systemd/system/multi-user.target.wants' },
  { path: 'home/boot', mode: 0o700, owner: bootUserId },
  { path: 'opt' },
  { path: 'proc/sys/kernel/random' },
  { path: 'root', mode: 0o700 },
  { path: 'run' },
  { path: 'srv' },
  { path: 'sys' },
  { path: 'tmp', mode: 0o1777 },
  { path: 'usr/bin' },
  { path: 'usr/lib/systemd/system/sysinit.target.wants' },
  { path: 'usr/lib/systemd/system-preset' },
  { path: 'usr/local/bin' },
  { path: 'usr/local/sbin' },
  { path: 'usr/sbin' },
  { path: 'var/lib/chrony' },
  { path: 'var/log' },
  { path: 'var/tmp', mode: 0o1777 },
];

export const links: Readonly<Record<string, string>> = {
  bin: 'usr/bin',
  lib: 'usr/lib',
  sbin: 'usr/sbin',
  'var/run': '../run',
  'etc/os-release': '../usr/lib/os-release',
};

export const files: readonly TemplateFile[] = [
  {
    path: 'etc/passwd',
    content: [
      'root:x:0:0:root:/root:/bin/bash',
      'daemon:x:2:2:daemon:/sbin:/usr/sbin/nologin',
      'chrony:x:992:991:chrony system user:/var/lib/chrony:/usr/sbin/nologin',
      'sshd:x:74:74:Privilege-separated SSH:/usr/share/empty.sshd:/usr/sbin/nologin',
      `boot:x:${bootUserId}:${bootUserId}:node administrator:/home/boot:/bin/bash`,
      'nobody:x:65534:65534:Kernel Overflow User:/:/usr/sbin/nologin',
      '',
    ].join('\n'),
  },
  {
    path: 'etc/group',
    content: [
      'root:x:0:',
      'daemon:x:2:',
      'wheel:x:10:boot',
      'sshd:x:74:',
      'chrony:x:991:',
      `boot:x:${bootUserId}:`,
      'nobody:x:65534:',
      '',
    ].join('\n'),
  },
  {
    path: 'usr/lib/os-release',
    content:
      'NAME="Simulated Linux"\nID=simulated\nVERSION_ID=1\nPRETTY_NAME="Simulated Linux 1"\n',
  },
  {
    path: 'etc/chrony.conf',
    content:
      '# Time servers of the vendor.\npool 2.pool.ntp.org iburst\n' +
      'driftfile /var/lib/chrony/drift\nmakestep 1.0 3\nrtcsync\n',
  },
  { path: 'etc/motd', content: '' },
  { path: 'etc/ssh/sshd_config', content: 'PasswordAuthentication no\n', mode: 0o600 },
  { path: 'etc/sysctl.d/10-vendor.conf', content: 'net.ipv4.ip_forward = 1\n' },
  { path: 'proc/cmdline', content: 'BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet\n' },
];

/** Programs that units may name. They are never run here: the model only looks whether they exist. */
export const programs: readonly string[] = [
  ...'agetty chronyd crond sshd sysctl'.split(' ').map((name) => `usr/sbin/${name}`),
  ...'systemd-journald systemd-sysctl'.split(' ').map((name) => `usr/lib/systemd/${name}`),
  ...(
    'bash cat chmod chown containerd cp echo env false grep install kill kubelet ln mkdir mv rm sed sh ' +
    'sleep systemctl tee test touch true'
  )
    .split(' ')
    .map((name) => `usr/bin/${name}`),
];
