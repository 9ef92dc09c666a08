import { initPhases, joinPhases, resetPhases } from '@slipway/bootstrap';
import type { Command } from 'commander';
import type { CommandContext } from '../program.ts';
import { addWorkflow, type WorkflowCall } from './workflow-command.ts';

/** Flags of whole workflows, as kubeadm (v1.37) has them; `--skip-phases` comes by itself. */
const initFlags = [
  'apiserver-advertise-address',
  'apiserver-bind-port',
  'apiserver-cert-extra-sans',
  'cert-dir',
  'certificate-key',
  'config',
  'control-plane-endpoint',
  'cri-socket',
  'dry-run',
  'feature-gates',
  'ignore-preflight-errors',
  'image-repository',
  'kubernetes-version',
  'node-ip',
  'node-name',
  'patches',
  'pod-network-cidr',
  'service-cidr',
  'service-dns-domain',
  'skip-certificate-key-print',
  'skip-token-print',
  'token',
  'token-ttl',
  'upload-certs',
];
const joinFlags = [
  'apiserver-advertise-address',
  'apiserver-bind-port',
  'certificate-key',
  'config',
  'control-plane',
  'cri-socket',
  'discovery-file',
  'discovery-token',
  'discovery-token-ca-cert-hash',
  'discovery-token-unsafe-skip-ca-verification',
  'dry-run',
  'ignore-preflight-errors',
  'node-ip',
  'node-name',
  'patches',
  'tls-bootstrap-token',
  'token',
];
const resetFlags = [
  'cert-dir',
  'cleanup-tmp-dir',
  'config',
  'cri-socket',
  'dry-run',
  'force',
  'ignore-preflight-errors',
  'kubeconfig',
];

/** Adds `init`, `join` and `reset` with a command for each of their phases. */
export function addBootstrapWorkflows(
  program: Command,
  context: CommandContext,
  descriptions: ReadonlyMap<string, string>,
): void {
  const alone = async ({ flags }: WorkflowCall, work: () => Promise<void>) => {
    const { aloneOnMachine } = await import('./alone-on-machine.ts');
    const { rootfs } = flags;
    if (flags['dry-run'] === true) {
      await work();
      return;
    }
    await aloneOnMachine(context, typeof rootfs === 'string' ? { rootfs } : {}, work);
  };
  const describe = (name: string) => ({ name, description: descriptions.get(name) ?? '' });
  addWorkflow(program, {
    ...describe('init'),
    flags: initFlags,
    phases: initPhases,
    run: async (call) => {
      const { runInit } = await import('./init.ts');
      await alone(call, () => runInit(call, context));
    },
  });
  addWorkflow(program, {
    ...describe('join'),
    word: '[api-server-endpoint]',
    flags: joinFlags,
    phases: joinPhases,
    run: async (call) => {
      const { runJoin } = await import('./join.ts');
      await alone(call, () => runJoin(call, context));
    },
  });
  addWorkflow(program, {
    ...describe('reset'),
    flags: resetFlags,
    phases: resetPhases,
    run: async (call) => {
      const { runReset } = await import('./reset.ts');
      await alone(call, () => runReset(call, context));
    },
  });
}
