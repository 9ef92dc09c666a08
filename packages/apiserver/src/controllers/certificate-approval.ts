import type { Authorizer, ResourceDefinition, StoredObject, User } from '../contract.ts';
import { readObject, readStrings, readText } from '../registry/read-path.ts';
import { conditionsOf, timeStamp } from './conditions.ts';
import type { ControllerOptions } from './controller-options.ts';
import { Loop } from './loop.ts';
import { kubeletClientSigner, nodeClientProblem, readRequest } from './node-certificate.ts';

export type ApprovalOptions = ControllerOptions & { readonly authorizer: Authorizer };

type Kind = { readonly subresource: string; readonly message: string };

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

async function recognise(object: StoredObject): Promise<readonly Kind[]> {
  if (readText(object, 'spec', 'signerName') !== kubeletClientSigner) return [];
  const request = await readRequest(object);
  if (request === undefined) return [];
  const usages = readStrings(object, 'spec', 'usages');
  if (nodeClientProblem(request, usages) !== undefined) return [];
  const isSelf = request.subject.commonName === requester(object).name;
  return isSelf ? [selfRenewal, firstRequest] : [firstRequest];
}

function approve(object: StoredObject, message: string, nowMs: number): StoredObject {
  const now = timeStamp(nowMs);
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message,
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  const status = readObject(object, 'status');
  return { ...object, status: { ...status, conditions: [...conditionsOf(object), condition] } };
}

/** Approves kubelets' client certificates for those who may ask for them without a person's look. */
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

  async function decide(served: ResourceDefinition, name: string): Promise<void> {
    const object = access.get(served, undefined, name);
    if (object === undefined || isDecided(object)) return;
    const kind = (await recognise(object)).find((candidate) => isAllowed(object, candidate));
    if (kind === undefined) return;
    await access.update(
      served,
      undefined,
      name,
      (current) => (isDecided(current) ? undefined : approve(current, kind.message, clock.now())),
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
