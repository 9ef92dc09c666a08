import { TerminalError } from '@slipway/base';
import type { Kubeconfig } from '@slipway/kube';
import { chosenCluster } from '../discovery/cluster-kubeconfig.ts';
import { authorityPins } from '../discovery/pins.ts';
import type { BootstrapErrorCode } from '../errors.ts';

/** Where a cluster is joined, and by which authorities it is known. */
export type JoinTarget = {
  /** `host:port`. */
  readonly endpoint: string;
  /** `sha256:<hex>`, one for each authority. */
  readonly pins: readonly string[];
};

export type JoinCommand = JoinTarget & {
  /** The token, or what is shown in its place. */
  readonly token: string;
  /** Default false; implied by `certificateKey`. */
  readonly controlPlane?: boolean;
  /** 64 hex digits, or what is shown in their place. */
  readonly certificateKey?: string;
};

/** What kubeadm shows in place of a secret that is not to be printed (`--skip-token-print`). */
export const withheld = '<value withheld>';

/**
 * The command that joins a host. `line` is for scripts; `block` is for people: one physical line per
 * group of flags, joined by backslashes, as kubeadm prints it at the end of `init`.
 */
export function joinCommand(command: JoinCommand, layout: 'line' | 'block' = 'line'): string {
  const { endpoint, token, pins, certificateKey } = command;
  const parts = [`slipway join ${endpoint} --token ${token}`];
  const hashes = pins.map((pin) => `--discovery-token-ca-cert-hash ${pin}`);
  if (hashes.length > 0) parts.push(hashes.join(' '));
  if (command.controlPlane === true || certificateKey !== undefined) {
    const key = certificateKey === undefined ? '' : ` --certificate-key ${certificateKey}`;
    parts.push(`--control-plane${key}`);
  }
  return parts.join(layout === 'line' ? ' ' : ' \\\n\t');
}

/**
 * Endpoint and pins out of an administrator's kubeconfig, whose authority must be embedded. Throws a
 * TerminalError when it names no cluster or no authority.
 */
export function joinTarget(kubeconfig: Kubeconfig): JoinTarget {
  const cluster = chosenCluster(kubeconfig);
  const authority = cluster?.certificateAuthority;
  if (cluster === undefined || authority === undefined || !('pem' in authority)) {
    const code: BootstrapErrorCode = 'bootstrap.token.join-command';
    throw new TerminalError(
      'print join command: the kubeconfig names no cluster with its certificate authority',
      { code },
    );
  }
  const endpoint = cluster.server.replace(/^https:\/\//, '').replace(/\/+$/, '');
  return { endpoint, pins: authorityPins(authority.pem) };
}
