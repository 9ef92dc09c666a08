import type { MachineProbe } from '@slipway/host';
import { type Check, type Finding, failure, type PreflightContext, warning } from '../check.ts';
import {
  type CgroupMount,
  cgroupMountOf,
  controllersOfVersion1,
  controllersOfVersion2,
  missingControllers,
} from '../system/cgroups.ts';
import { isKnownKernel, missingKernelSettings } from '../system/kernel-configuration.ts';
import { readKernelConfiguration } from '../system/read-kernel-configuration.ts';
import { unknownKubelet } from './kubelet-version.ts';

/** From this minor on the kubelet refuses version 1 of control groups unless it is told not to. */
const refusesVersion1 = 35;

/** Kernel and control groups. Before an upgrade the next minor of the kubelet counts. */
export function systemVerification({ isUpgrade }: { readonly isUpgrade: boolean }): Check {
  return {
    name: 'SystemVerification',
    run: async (context) => {
      const { machine } = context.ground;
      const mount = await cgroupMount(machine);
      const program = await context.kubelet();
      return [
        // What cannot be told of the kubelet is an error of this check too, as with kubeadm.
        ...(program.version === undefined && program.isAsked ? [unknownKubelet(program)] : []),
        ...checkRelease(machine.kernelRelease()),
        ...(await checkConfiguration(context, mount?.version ?? 2)),
        ...(await checkCgroups(context, mount, isUpgrade)),
      ];
    },
  };
}

/** Version of control groups of the machine; undefined when it has none. */
export async function cgroupMount(machine: MachineProbe): Promise<CgroupMount | undefined> {
  const mounts = await kernelText(machine, '/proc/mounts');
  const memory = await machine.kernelFile('/sys/fs/cgroup/memory/cgroup.procs');
  return cgroupMountOf(mounts, memory !== undefined);
}

function checkRelease(release: string): readonly Finding[] {
  if (isKnownKernel(release)) return [];
  return [
    warning(
      `kernel ${release} is none that Kubernetes is tested with`,
      'use one of 5.4, 5.10, 5.15, or 6.0 and later',
    ),
  ];
}

async function checkConfiguration(
  { ground }: PreflightContext,
  cgroupVersion: 1 | 2,
): Promise<readonly Finding[]> {
  const configuration = await readKernelConfiguration(ground);
  if (configuration === undefined) {
    return [
      failure(
        'how the kernel was built cannot be told: there is neither /proc/config.gz nor a file in /boot',
        'modprobe configs, or install the package of kernel headers',
      ),
    ];
  }
  const missing = missingKernelSettings(configuration, cgroupVersion);
  if (missing.length === 0) return [];
  return [
    failure(`the kernel was built without ${missing.join(', ')}`, 'use a kernel that has them'),
  ];
}

async function checkCgroups(
  context: PreflightContext,
  mount: CgroupMount | undefined,
  isUpgrade: boolean,
): Promise<readonly Finding[]> {
  if (mount === undefined) {
    return [failure('no control groups are mounted', 'mount -t cgroup2 none /sys/fs/cgroup')];
  }
  const { machine } = context.ground;
  const controllers =
    mount.version === 1
      ? controllersOfVersion1(await kernelText(machine, '/proc/cgroups'))
      : controllersOfVersion2(
          await kernelText(machine, `${mount.path}/cgroup.controllers`),
          machine.kernelRelease(),
        );
  const missing = missingControllers(mount.version, controllers);
  const fix = 'take cgroup_disable= out of the command line of the kernel, or use another kernel';
  return [
    ...(mount.version === 1 ? await refusal(context, isUpgrade) : []),
    ...(missing.needed.length === 0
      ? []
      : [failure(`controllers of control groups are missing: ${missing.needed.join(', ')}`, fix)]),
    ...(missing.useful.length === 0
      ? []
      : [
          warning(
            `optional controllers of control groups are missing: ${missing.useful.join(', ')}`,
            fix,
          ),
        ]),
  ];
}

/** Where no kubelet can be asked it may be an old one; one that is missing is told of anyway. */
async function refusal(
  { kubelet }: PreflightContext,
  isUpgrade: boolean,
): Promise<readonly Finding[]> {
  const program = await kubelet();
  if (program.version === undefined && program.isAsked) return [];
  const minor = (program.version?.minor ?? 0) + (isUpgrade ? 1 : 0);
  const fix =
    'boot with systemd.unified_cgroup_hierarchy=1; or keep version 1: failCgroupV1: false in KubeletConfiguration and --ignore-preflight-errors=SystemVerification';
  return [
    minor >= refusesVersion1
      ? failure('the machine uses cgroup v1, with which kubelets from v1.35 on do not start', fix)
      : warning('the machine uses cgroup v1, which kubelets from v1.35 on refuse', fix),
  ];
}

async function kernelText(machine: MachineProbe, path: string): Promise<string> {
  return Buffer.from((await machine.kernelFile(path)) ?? []).toString('utf8');
}
