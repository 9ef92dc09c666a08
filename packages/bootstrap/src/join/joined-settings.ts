import type {
  ApiEndpoint,
  ClusterConfiguration,
  ComponentConfigurations,
  InitSettings,
  JoinConfiguration,
} from '../config/configuration.ts';

/** A worker has no API server: nothing may be derived from its address. */
const nowhere: ApiEndpoint = { advertiseAddress: '', bindPort: 0 };

/** The cluster's configuration as the libraries of `init` work on it, for this node. */
export function joinedSettings(
  join: JoinConfiguration,
  cluster: ClusterConfiguration,
  components: ComponentConfigurations,
): InitSettings {
  const { nodeRegistration, dryRun, skipPhases, patches, timeouts, controlPlane } = join;
  const certificateKey = controlPlane?.certificateKey;
  return {
    init: {
      bootstrapTokens: [],
      dryRun,
      nodeRegistration,
      localAPIEndpoint: controlPlane?.localAPIEndpoint ?? nowhere,
      skipPhases,
      timeouts,
      ...(patches === undefined ? {} : { patches }),
      ...(certificateKey === undefined ? {} : { certificateKey }),
    },
    cluster,
    components,
  };
}
