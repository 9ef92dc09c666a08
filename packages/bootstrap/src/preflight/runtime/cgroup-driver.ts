/** Who makes control groups: systemd, or the program itself in the file system. */
export type CgroupDriver = 'systemd' | 'cgroupfs';

/** By the number of the CRI's enumeration CgroupDriver. */
export function cgroupDriverOf(value: number): CgroupDriver {
  return value === 1 ? 'cgroupfs' : 'systemd';
}
