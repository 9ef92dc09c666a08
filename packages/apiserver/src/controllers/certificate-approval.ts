import type { Authorizer, ResourceDefinition, StoredObject, User } from '../contract.ts';
import { readObject, readStrings, readText } from '../registry/read-path.ts';
import { conditionsOf, hasCondition, timeStamp } from './conditions.ts';
import type { ControllerOptions } from './controller-options.ts';
import { Loop } from './loop.ts';
import { kubeletClientSigner, nodeClientProblem, readRequest } from './node-certificate.ts';

export type ApprovalOptions = ControllerOptions & { readonly authorizer: Authorizer };

const bootstrappersGroup = 'system:bootstrappers';
const nodeUserPrefix = 'system:node:';

type Kind = { readonly subresource: string; readonly message: string };

/** A kubelet's request and the kinds that it may be. */
type Recognised = { readonly nodeName: string; readonly kinds: readonly Kind[] };

const selfRenewal: Kind = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const firstRequest: Kind = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

function requester(object: StoredObject): User {
  return {
    name: readText(object, 'spec', 'username'),
    groups: readStrings(object, 'spec', 'groups'),
    uid: readText(object, 'spec', 'uid'),
  };
}

function isDecided(object: StoredObject): boolean {
  return conditionsOf(object).some(({ type }) => type === 'Approved' || type === 'Denied');
}

async function recognise(object: StoredObject): Promise<Recognised | undefined> {
  if (readText(object, 'spec', 'signerName') !== kubeletClientSigner) return undefined;
  const request = await readRequest(object);
  if (request === undefined) return undefined;
  const usages = readStrings(object, 'spec', 'usages');
  if (nodeClientProblem(request, usages) !== undefined) return undefined;
  const { commonName } = request.subject;
  const nodeName = commonName.slice(nodeUserPrefix.length);
  const isSelf = commonName === requester(object).name;
  return { nodeName, kinds: isSelf ? [selfRenewal, firstRequest] : [firstRequest] };
}

type Decision = {
  readonly type: 'Approved' | 'Denied';
  readonly reason: string;
  readonly message: string;
};

function withDecision(object: StoredObject, decision: Decision, nowMs: number): StoredObject {
  const now = timeStamp(nowMs);
  const condition = {
    ...decision,
    status: 'True',
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  const status = readObject(object, 'status');
  return { ...object, status: { ...status, conditions: [...conditionsOf(object), condition] } };
}

/**
 * Approves kubelets' client certificates for those who may ask for them without a person's look. A
 * bootstrap token is good for new nodes only: it does not get the certificate of a Node that is Ready,
 * whose own kubelet renews as itself (ADR 10).
 */
export function createCertificateApproval(options: ApprovalOptions): Loop {
  const { access, catalogue, authorizer, clock } = options;
  const definition = () =>
    catalogue.find('certificates.k8s.io', 'v1', 'certificatesigningrequests');

  function isAllowed(object: StoredObject, kind: Kind): boolean {
    return authorizer.authorize({
      user: requester(object),
      verb: 'create',
      apiGroup: 'certificates.k8s.io',
      apiVersion: '*',
      resource: 'certificatesigningrequests',
      subresource: kind.subresource,
    }).allowed;
  }

  function isReadyNode(name: string): boolean {
    const served = catalogue.find('', 'v1', 'nodes');
    const node = served && access.get(served, undefined, name);
    return node !== undefined && hasCondition(node, 'Ready');
  }

  async function decisionOn(object: StoredObject): Promise<Decision | undefined> {
    const recognised = await recognise(object);
    const kind = recognised?.kinds.find((candidate) => isAllowed(object, candidate));
    if (recognised === undefined || kind === undefined) return undefined;
    const { nodeName } = recognised;
    if (requester(object).groups.includes(bootstrappersGroup) && isReadyNode(nodeName)) {
      const message = `Node ${nodeName} is Ready: a bootstrap token does not get its certificate.`;
      return { type: 'Denied', reason: 'NodeIsReady', message };
    }
    return { type: 'Approved', reason: 'AutoApproved', message: kind.message };
  }

  async function decide(served: ResourceDefinition, name: string): Promise<void> {
    const object = access.get(served, undefined, name);
    if (object === undefined || isDecided(object)) return;
    const decision = await decisionOn(object);
    if (decision === undefined) return;
    await access.update(
      served,
      undefined,
      name,
      (current) => (isDecided(current) ? undefined : withDecision(current, decision, clock.now())),
      { subresource: 'approval' },
    );
  }

  return new Loop({
    name: 'certificate-approval',
    ...options,
    seeds: () => {
      const served = definition();
      return served ? access.list(served).map((object) => object.metadata.name ?? '') : [];
    },
    keysOf: ({ plural }, { type, object }) =>
      plural === 'certificatesigningrequests' && type !== 'DELETED'
        ? [object.metadata.name ?? '']
        : [],
    async reconcile(name) {
      const served = definition();
      if (served !== undefined) await decide(served, name);
      return undefined;
    },
  });
}
