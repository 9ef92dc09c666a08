import type { HostPath } from '@slipway/host';
import type { KubeClient } from '@slipway/kube';
import type { KeyStock } from '../certificates/key-stock.ts';
import type { InitSettings } from '../config/configuration.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';
import type { InitClusterAccess } from './cluster-access.ts';

/** Flags of `init` and its phases that are no part of the configuration. */
export type InitOptions = {
  /** The run changes nothing; `ground.files` is an overlay. */
  readonly isDryRun: boolean;
  readonly uploadCertificates: boolean;
  readonly skipTokenPrint: boolean;
  readonly skipCertificateKeyPrint: boolean;
  /** With what to talk to the cluster; default /etc/kubernetes/admin.conf. */
  readonly kubeconfig: HostPath;
  /** Where kubeconfigs are written; default /etc/kubernetes. */
  readonly kubeconfigDirectory: HostPath;
  /** Print the objects of an add-on instead of applying them. */
  readonly printManifest: boolean;
};

/** What the phases of `init` work on. */
export type InitData = {
  readonly settings: InitSettings;
  readonly options: InitOptions;
  readonly ground: Ground;
  /** As `ground`, but reading the machine itself in a dry run too: what preflight looks at. */
  readonly machineGround: Ground;
  readonly reporter: Reporter;
  readonly access: InitClusterAccess;
  /** What is changed about objects and files of this node, in order. */
  readonly patches: readonly Patch[];
  /** Gives the operator of machine configuration its rights; which ones, its own room knows. */
  readonly grantOperator?: (administrator: KubeClient) => Promise<void>;
  /** Key that certificates are uploaded with, made when it is first asked for: 64 hex digits. */
  readonly certificateKey: () => string;
  /** Keys that are made ahead of the phases that take them; default: each is made when it is needed. */
  readonly keys?: KeyStock;
  readonly signal?: AbortSignal;
};
