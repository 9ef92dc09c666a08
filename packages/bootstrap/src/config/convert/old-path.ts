import type { JsonObject } from '@slipway/base';
import type { Path } from '../document/source-node.ts';
import { argumentPath, objectMember } from './converted.ts';

/** Where fields of v1beta4 were in MasterConfiguration and NodeConfiguration. */
const movedPaths: readonly (readonly [from: Path, to: Path])[] = [
  [['localAPIEndpoint'], ['api']],
  [['controlPlaneEndpoint'], ['api', 'controlPlaneEndpoint']],
  [['apiServer', 'certSANs'], ['apiServerCertSANs']],
  [['apiServer', 'extraArgs'], ['apiServerExtraArgs']],
  [['controllerManager', 'extraArgs'], ['controllerManagerExtraArgs']],
  [['scheduler', 'extraArgs'], ['schedulerExtraArgs']],
  [['apiServer', 'extraVolumes'], ['apiServerExtraVolumes']],
  [['controllerManager', 'extraVolumes'], ['controllerManagerExtraVolumes']],
  [['scheduler', 'extraVolumes'], ['schedulerExtraVolumes']],
  [['discovery', 'bootstrapToken', 'token'], ['discoveryToken']],
  [['discovery', 'bootstrapToken', 'apiServerEndpoint'], ['discoveryTokenAPIServers']],
  [['discovery', 'bootstrapToken', 'caCertHashes'], ['discoveryTokenCACertHashes']],
  [['discovery', 'file', 'kubeConfigPath'], ['discoveryFile']],
  [['discovery', 'tlsBootstrapToken'], ['tlsBootstrapToken']],
];

/** Only where the old form was used: v1alpha2 has some of these places already. */
const flatPaths: readonly (readonly [from: Path, to: Path])[] = [
  [['nodeRegistration', 'name'], ['nodeName']],
  [['nodeRegistration', 'criSocket'], ['criSocket']],
  [['bootstrapTokens', 0, 'token'], ['token']],
  [['bootstrapTokens', 0, 'ttl'], ['tokenTTL']],
  [['bootstrapTokens', 0, 'usages'], ['tokenUsages']],
  [['bootstrapTokens', 0, 'groups'], ['tokenGroups']],
  [['etcd', 'external'], ['etcd']],
  [['etcd', 'local'], ['etcd']],
];

/** From a path of v1beta4 to the path in an old document. */
export function oldPath(object: JsonObject): (path: Path) => Path {
  const flat = flatPaths.filter(([, to]) => to.length === 1 && isFlat(object, String(to[0])));
  const moves = [...movedPaths, ...flat];
  const ofArgument = argumentPath(object);
  return (path) => {
    const move = moves.find(([from]) => from.every((part, index) => path[index] === part));
    return ofArgument(move === undefined ? path : [...move[1], ...path.slice(move[0].length)]);
  };
}

function isFlat(object: JsonObject, member: string): boolean {
  if (member !== 'etcd') return object[member] !== undefined;
  const etcd = objectMember(object, 'etcd');
  return etcd['local'] === undefined && etcd['external'] === undefined;
}
