/** `@slipway/kube`: talking to any Kubernetes API. Knows no machine. */
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
export type { Informer, InformerEvent, InformerOptions } from './informer/informer-types.ts';
