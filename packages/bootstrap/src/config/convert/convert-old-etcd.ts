import { isJsonObject, type JsonObject } from '@slipway/base';
import { argumentsOfMap, present } from './converted.ts';

/** `etcd` of MasterConfiguration: flat in v1alpha1, with `local` and `external` in v1alpha2. */
export function convertOldEtcd(etcd: JsonObject): JsonObject {
  const external = etcd['external'];
  if (isJsonObject(external)) return { external };
  const local = etcd['local'];
  if (isJsonObject(local)) return { local: localOf(local) };
  const { endpoints, caFile, certFile, keyFile } = etcd;
  if (Array.isArray(endpoints) && endpoints.length > 0) {
    return { external: present({ endpoints, caFile, certFile, keyFile }) };
  }
  return { local: localOf(etcd) };
}

function localOf(etcd: JsonObject): JsonObject {
  const { dataDir, serverCertSANs, peerCertSANs, extraArgs, image } = etcd;
  return present({
    dataDir,
    serverCertSANs,
    peerCertSANs,
    extraArgs: argumentsOfMap(extraArgs),
    ...(typeof image === 'string' && image !== '' ? imageParts(image) : {}),
  });
}

/** `registry.example:5000/etcd:3.1.12` is a repository and a tag; the name of the image is always etcd. */
function imageParts(image: string): JsonObject {
  const tagAt = image.lastIndexOf(':') > image.lastIndexOf('/') ? image.lastIndexOf(':') : -1;
  const name = tagAt < 0 ? image : image.slice(0, tagAt);
  const slash = name.lastIndexOf('/');
  return present({
    imageRepository: slash < 0 ? undefined : name.slice(0, slash),
    imageTag: tagAt < 0 ? undefined : image.slice(tagAt + 1),
  });
}
