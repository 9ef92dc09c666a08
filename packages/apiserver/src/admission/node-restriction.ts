import { jsonEqual } from '@slipway/base';
import { readCertificateSigningRequest } from '@slipway/pki';
import { nodeNameOf } from '../auth/node-identity.ts';
import { podReferences } from '../auth/pod-references.ts';
import type {
  AdmissionPlugin,
  AdmissionRequest,
  LocalAccess,
  ResourceCatalogue,
  StoredObject,
} from '../contract.ts';
import { readObject, readPath, readText } from '../registry/read-path.ts';
import { forbiddenLabels } from './node-labels.ts';
import { isAbout, refusal } from './refusal.ts';

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const leaseNamespace = 'kube-node-lease';
const kubeletSigners = [
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
];

function quoted(text: string): string {
  return JSON.stringify(text);
}

function checkNode(request: AdmissionRequest, node: string): void {
  const { object, oldObject, operation } = request;
  if (request.name !== node) {
    const cause = `node ${quoted(node)} is not allowed to modify node ${quoted(request.name)}`;
    throw refusal(request, cause);
  }
  if (operation !== 'CREATE' && operation !== 'UPDATE') return;
  const labels = forbiddenLabels(object?.metadata.labels, oldObject?.metadata.labels);
  if (labels.length > 0) {
    const verb = operation === 'CREATE' ? 'set the following labels' : 'modify labels';
    throw refusal(request, `node ${quoted(node)} is not allowed to ${verb}: ${labels.join(', ')}`);
  }
  if (oldObject === undefined) return;
  if (!jsonEqual(readPath(object, 'spec', 'taints'), readPath(oldObject, 'spec', 'taints'))) {
    throw refusal(request, `node ${quoted(node)} is not allowed to modify taints`);
  }
  const owners = object?.metadata.ownerReferences;
  if (!jsonEqual(owners, oldObject.metadata.ownerReferences)) {
    throw refusal(request, `node ${quoted(node)} is not allowed to modify ownerReferences`);
  }
}

function checkLease(request: AdmissionRequest, node: string): void {
  if (request.namespace !== leaseNamespace) {
    const cause = `can only access leases in the ${quoted(leaseNamespace)} system namespace`;
    throw refusal(request, cause);
  }
  if (request.name !== node) {
    throw refusal(request, 'can only access node lease with the same name as the requesting node');
  }
}

function checkMirrorPod(request: AdmissionRequest, node: string): void {
  const { object } = request;
  const name = quoted(node);
  if (object?.metadata.annotations?.[mirrorAnnotation] === undefined) {
    throw refusal(
      request,
      `pod does not have ${quoted(mirrorAnnotation)} annotation, node ${name} can only create mirror pods`,
    );
  }
  if (readText(object, 'spec', 'nodeName') !== node) {
    const cause = `node ${name} can only create pods with spec.nodeName set to itself`;
    throw refusal(request, cause);
  }
  for (const owner of object.metadata.ownerReferences ?? []) {
    if (owner.kind !== 'Node' || owner.name !== node) {
      const cause = `node ${name} can only create pods with an owner reference set to itself`;
      throw refusal(request, cause);
    }
  }
  const { secrets, configmaps, serviceAccount } = podReferences(readObject(object, 'spec'));
  if (serviceAccount !== '') {
    throw refusal(request, `node ${name} can not create pods that reference a service account`);
  }
  if (secrets.size > 0) {
    throw refusal(request, `node ${name} can not create pods that reference secrets`);
  }
  if (configmaps.size > 0) {
    throw refusal(request, `node ${name} can not create pods that reference configmaps`);
  }
}

function checkPodStatus(request: AdmissionRequest, node: string): void {
  const { object, oldObject } = request;
  if (request.operation !== 'UPDATE') {
    throw refusal(request, `unexpected operation ${quoted(request.operation)}`);
  }
  if (readText(oldObject, 'spec', 'nodeName') !== node) {
    throw refusal(
      request,
      `node ${quoted(node)} can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!jsonEqual(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})) {
    const cause = `node ${quoted(node)} cannot update labels through pod status`;
    throw refusal(request, cause);
  }
}

function checkPod(request: AdmissionRequest, node: string, pod: StoredObject | undefined): void {
  const owner = readText(pod, 'spec', 'nodeName');
  switch (request.subresource) {
    case undefined:
      if (request.operation === 'CREATE') {
        checkMirrorPod(request, node);
      } else if (request.operation !== 'DELETE') {
        throw refusal(
          request,
          `unexpected operation ${quoted(request.operation)}, node ${quoted(node)} can only create and delete mirror pods`,
        );
      } else if (owner !== node) {
        throw refusal(
          request,
          `node ${quoted(node)} can only delete pods with spec.nodeName set to itself`,
        );
      }
      return;
    case 'status':
      checkPodStatus(request, node);
      return;
    case 'eviction':
      if (owner === node) return;
      throw refusal(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
    default:
      throw refusal(
        request,
        `unexpected pod subresource ${quoted(request.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

/** A node's certificate requests for kubelet signers must be for itself. */
async function checkSigningRequest(request: AdmissionRequest): Promise<void> {
  const { object, operation, user } = request;
  const signer = readText(object, 'spec', 'signerName');
  if (operation !== 'CREATE' || !kubeletSigners.includes(signer)) return;
  const pem = Buffer.from(readText(object, 'spec', 'request'), 'base64').toString('utf8');
  const signing = await readCertificateSigningRequest(pem).catch(() => undefined);
  if (signing === undefined) throw refusal(request, 'unable to parse csr');
  if (signing.subject.commonName !== user.name) {
    throw refusal(request, `can only create a node CSR with CN=${user.name}`);
  }
}

/** Keeps a node to its own Node, Lease, Pods and certificates, whatever roles it has besides. */
export function createNodeRestriction(
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): AdmissionPlugin {
  function storedPod(request: AdmissionRequest): StoredObject | undefined {
    if (request.oldObject !== undefined) return request.oldObject;
    const definition = catalogue.find('', 'v1', 'pods');
    return definition && access.get(definition, request.namespace, request.name);
  }
  return {
    name: 'NodeRestriction',
    async validate(request) {
      const node = nodeNameOf(request.user);
      if (node === undefined) return [];
      if (node === '') {
        const cause = `could not determine node from user ${quoted(request.user.name)}`;
        throw refusal(request, cause);
      }
      if (isAbout(request, '', 'nodes')) checkNode(request, node);
      else if (isAbout(request, '', 'pods')) checkPod(request, node, storedPod(request));
      else if (isAbout(request, 'coordination.k8s.io', 'leases')) checkLease(request, node);
      else if (isAbout(request, 'certificates.k8s.io', 'certificatesigningrequests')) {
        await checkSigningRequest(request);
      }
      return [];
    },
  };
}
