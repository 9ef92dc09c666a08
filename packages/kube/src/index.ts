/** `@slipway/kube`: talking to any Kubernetes API. Knows no machine. */
export type {
  ConnectionConfig,
  ConnectionProvider,
  PemSource,
  SecretSource,
} from './client/connection-config.ts';
export { createKubeClient, type KubeClientOptions } from './client/create-kube-client.ts';
export type {
  ApiFailure,
  DeleteOptions,
  KubeClient,
  ListOptions,
  ObjectKey,
  PatchType,
  RawResponse,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client/kube-client.ts';
export type { Outcome, Reconcile } from './controller/controller-types.ts';
export {
  type ControllerOptions,
  createController,
  informerSource,
  type KeySource,
  periodicSource,
} from './controller/create-controller.ts';
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  type KubeErrorCode,
  kubeErrorCodes,
} from './errors.ts';
export {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
  type Occurrence,
  referenceTo,
} from './events/event-recorder.ts';
export { createInformer, type InformerDependencies } from './informer/create-informer.ts';
export type { Informer, InformerEvent, InformerOptions } from './informer/informer-types.ts';
export { objectKey } from './informer/object-cache.ts';
export {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
  singleUserKubeconfig,
} from './kubeconfig/kubeconfig.ts';
export {
  connectionOf,
  kubeconfigConnection,
  loadKubeconfig,
} from './kubeconfig/load-kubeconfig.ts';
export { type KubeconfigOrigin, parseKubeconfig } from './kubeconfig/parse-kubeconfig.ts';
export { renderKubeconfig } from './kubeconfig/render-kubeconfig.ts';
export {
  createLeaderElection,
  type LeaderElection,
  type LeaderElectionOptions,
} from './leader-election/leader-election.ts';
export { WorkQueue, type WorkQueueOptions } from './workqueue/work-queue.ts';
