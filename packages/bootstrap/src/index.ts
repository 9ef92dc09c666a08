/**
 * `@slipway/bootstrap`: bringing a node into a cluster, and what try mode needs in place of the
 * kubelet and of the node lifecycle controller.
 */
export { type BootstrapErrorCode, bootstrapErrors } from './errors.ts';
export { createNodeLifecycle, type NodeLifecycleOptions } from './node-lifecycle/node-lifecycle.ts';
export type { NodeDescription } from './stand-in-kubelet/node-description.ts';
export {
  createStandInKubelet,
  type StandInKubeletOptions,
} from './stand-in-kubelet/stand-in-kubelet.ts';
export {
  createCertificateRenewal,
  type RenewalOptions,
} from './tls-bootstrap/certificate-renewal.ts';
export { type ClusterEntry, clusterInfoKubeconfig } from './tls-bootstrap/cluster-kubeconfig.ts';
export { type JoinRequest, type JoinResult, joinNode } from './tls-bootstrap/join-node.ts';
export { nodeConnection, nodePaths } from './tls-bootstrap/node-files.ts';
export type { Ground, Reporter } from './workflow/ground.ts';
