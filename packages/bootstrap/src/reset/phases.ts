import { UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Phase } from '../workflow/phase.ts';
import { cleanupNode } from './cleanup-node.ts';
import type { ResetData } from './data.ts';
import { removeEtcdMember } from './remove-etcd-member.ts';

/** `reset`, as kubeadm cuts it. */
export const resetPhases: readonly Phase<ResetData>[] = [
  {
    name: 'preflight',
    aliases: ['pre-flight'],
    description: 'ask for confirmation and check what a reset needs',
    flags: ['ignore-preflight-errors', 'force', 'dry-run'],
    run: confirmAndCheck,
  },
  {
    name: 'remove-etcd-member',
    description: 'delete what etcd kept on this node',
    flags: ['kubeconfig', 'dry-run'],
    run: removeEtcdMember,
  },
  {
    name: 'cleanup-node',
    aliases: ['cleanupnode'],
    description: 'stop the kubelet and delete what init or join wrote',
    flags: ['cert-dir', 'cleanup-tmp-dir', 'cri-socket', 'dry-run'],
    run: cleanupNode,
  },
];

async function confirmAndCheck(data: ResetData): Promise<void> {
  const { reset, isDryRun, reporter } = data;
  if (!(reset.force || isDryRun)) {
    reporter.problem('what `init` or `join` did to this machine will be undone');
    if (!(await data.confirm('Go on? [y/N]: '))) {
      const code: BootstrapErrorCode = 'bootstrap.reset.unconfirmed';
      throw new UserError('reset this machine: not confirmed; answer y, or give --force', { code });
    }
  }
  reporter.phase('preflight', 'checking what a reset needs');
  await data.preflight();
}
