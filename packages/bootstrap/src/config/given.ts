import type { JsonObject } from '@slipway/base';
import type {
  ClusterConfiguration,
  ExternalEtcd,
  InitConfiguration,
  JoinConfiguration,
  LocalEtcd,
  ResetConfiguration,
  TokenDiscovery,
  UpgradeConfiguration,
} from './configuration.ts';

/** A type of the configuration with everything optional, as files and flags give it. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
    : T;

export type GivenCluster = Given<Omit<ClusterConfiguration, 'etcd' | 'encryptionAlgorithm'>> & {
  readonly etcd?:
    | { readonly local?: Given<LocalEtcd>; readonly external?: Given<ExternalEtcd> }
    | undefined;
  readonly encryptionAlgorithm?: string | undefined;
};

export type GivenInit = Given<InitConfiguration>;

export type GivenJoin = Given<Omit<JoinConfiguration, 'discovery'>> & {
  readonly discovery?:
    | {
        readonly bootstrapToken?: Given<TokenDiscovery> | undefined;
        readonly file?: { readonly kubeConfigPath?: string | undefined } | undefined;
        readonly tlsBootstrapToken?: string | undefined;
      }
    | undefined;
};

export type GivenReset = Given<ResetConfiguration>;
export type GivenUpgrade = Given<UpgradeConfiguration>;

/**
 * A document that was read by the shape of its kind as the type of that kind. The shapes of `schema/`
 * and the types of `configuration.ts` say the same; `given.test.ts` holds them together.
 */
export function givenOf<T>(object: JsonObject | undefined): T {
  return (object ?? {}) as T;
}
