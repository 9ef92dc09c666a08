import type { PolicyRule } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import type {
  Authorizer,
  Decision,
  LocalAccess,
  RequestAttributes,
  ResourceCatalogue,
} from '../contract.ts';
import { nodeNameOf } from './node-identity.ts';
import { podReferences } from './pod-references.ts';
import { equalityTerms, nameOf, ruleAllows } from './policy-rule.ts';

const allowed: Decision = { allowed: true, reason: '' };

function denied(reason: string): Decision {
  return { allowed: false, reason };
}

function core(verbs: readonly string[], ...resources: readonly string[]): PolicyRule {
  return { verbs, apiGroups: [''], resources };
}

/** What every node may ask for without regard to a particular object (kube-apiserver's node rules). */
export const nodeRules: readonly PolicyRule[] = [
  { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['localsubjectaccessreviews', 'subjectaccessreviews'],
  },
  core(['get', 'list', 'watch'], 'services'),
  core(['create', 'patch', 'update'], 'events'),
  {
    verbs: ['create', 'get', 'list', 'watch'],
    apiGroups: ['certificates.k8s.io'],
    resources: ['certificatesigningrequests'],
  },
];

type NodeRequest = RequestAttributes & { readonly node: string };

function authorizeNode(request: NodeRequest): Decision {
  const { verb, subresource = '', node } = request;
  if (subresource === 'status') {
    return verb === 'update' || verb === 'patch' ? allowed : denied('');
  }
  if (subresource !== '') return denied('');
  // Admission limits a node to creating and changing its own Node.
  if (['create', 'update', 'patch'].includes(verb)) return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return denied('');
  const name = nameOf(request);
  if (name === node) return allowed;
  return name === ''
    ? denied(`node '${node}' cannot read all nodes, only its own Node object`)
    : denied(`node '${node}' cannot read '${name}', only its own Node object`);
}

const leaseNamespace = 'kube-node-lease';

function authorizeLease(request: NodeRequest): Decision {
  const { verb, namespace, node } = request;
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(verb)) {
    return denied('can only get, create, update, patch, or delete a node lease');
  }
  if (namespace !== leaseNamespace) {
    return denied(`can only access leases in the "${leaseNamespace}" system namespace`);
  }
  // The name is not known on create; admission checks it then.
  if (verb !== 'create' && request.name !== node) {
    return denied('can only access node lease with the same name as the requesting node');
  }
  return allowed;
}

function ruleDecision(request: NodeRequest): Decision {
  return nodeRules.some((rule) => ruleAllows(rule, request)) ? allowed : denied('');
}

/** What a node may do: its own Node, Lease and Pods, and what those Pods refer to. Others: no opinion. */
export class NodeAuthorizer implements Authorizer {
  readonly #catalogue: ResourceCatalogue;
  readonly #access: LocalAccess;

  constructor(catalogue: ResourceCatalogue, access: LocalAccess) {
    this.#catalogue = catalogue;
    this.#access = access;
  }

  authorize(attributes: RequestAttributes): Decision {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return denied('');
    if (node === '') return denied('unknown node for user "system:node:"');
    const request = { ...attributes, node };
    const { apiGroup = '', resource } = attributes;
    if (attributes.path !== undefined) return ruleDecision(request);
    if (apiGroup === 'coordination.k8s.io' && resource === 'leases') return authorizeLease(request);
    if (apiGroup !== '') return ruleDecision(request);
    switch (resource) {
      case 'nodes':
        return authorizeNode(request);
      case 'pods':
        return this.#authorizePod(request);
      case 'secrets':
      case 'configmaps':
        return this.#authorizeReferenced(request, resource);
      default:
        return ruleDecision(request);
    }
  }

  #authorizePod(request: NodeRequest): Decision {
    const { verb, subresource = '', node } = request;
    if (subresource === 'status') {
      return verb === 'update' || verb === 'patch' ? allowed : denied('');
    }
    if (subresource === 'eviction') return verb === 'create' ? allowed : denied('');
    if (subresource !== '') return denied('');
    switch (verb) {
      case 'create':
      case 'delete':
        return allowed;
      case 'list':
      case 'watch':
        return equalityTerms(request.fieldSelector).get('spec.nodeName') === node
          ? allowed
          : denied('can only list/watch pods with spec.nodeName field selector');
      case 'get':
        return this.#isOwnPod(request) ? allowed : noRelationship(node);
      default:
        return denied('');
    }
  }

  #isOwnPod({ namespace, name = '', node }: NodeRequest): boolean {
    const definition = this.#catalogue.find('', 'v1', 'pods');
    const pod = definition && this.#access.get(definition, namespace, name);
    return isJsonObject(pod?.['spec']) && pod['spec']['nodeName'] === node;
  }

  #authorizeReferenced(request: NodeRequest, resource: 'secrets' | 'configmaps'): Decision {
    const { verb, subresource = '', namespace = '', node } = request;
    if (!['get', 'list', 'watch'].includes(verb)) {
      return denied('can only read resources of this type');
    }
    if (subresource !== '') return denied('cannot read subresource');
    if (namespace === '') return denied('can only read namespaced object of this type');
    const name = nameOf(request);
    if (name === '') return denied('No Object name found');
    return this.#refersTo(node, namespace, resource, name) ? allowed : noRelationship(node);
  }

  #refersTo(
    node: string,
    namespace: string,
    resource: 'secrets' | 'configmaps',
    name: string,
  ): boolean {
    const definition = this.#catalogue.find('', 'v1', 'pods');
    if (definition === undefined) return false;
    return this.#access.list(definition, namespace).some((pod) => {
      const spec = pod['spec'];
      if (!isJsonObject(spec) || spec['nodeName'] !== node) return false;
      return podReferences(spec)[resource].has(name);
    });
  }
}

function noRelationship(node: string): Decision {
  return denied(`no relationship found between node '${node}' and this object`);
}
