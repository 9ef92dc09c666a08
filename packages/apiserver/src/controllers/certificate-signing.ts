import { describeError, SlipwayError } from '@slipway/base';
import {
  type CertificateAuthority,
  inspectCertificate,
  signCertificateSigningRequest,
} from '@slipway/pki';
import type { ResourceDefinition, StoredObject } from '../contract.ts';
import { readObject, readPath, readStrings, readText } from '../registry/read-path.ts';
import { conditionsOf, hasCondition, timeStamp } from './conditions.ts';
import type { ControllerOptions } from './controller-options.ts';
import { type Again, Loop } from './loop.ts';
import {
  clientSigner,
  kubeletClientSigner,
  kubeletServingSigner,
  readRequest,
  requestPem,
  signerProblem,
} from './node-certificate.ts';

export type SigningOptions = ControllerOptions & { readonly authority: CertificateAuthority };

const signers: readonly string[] = [clientSigner, kubeletClientSigner, kubeletServingSigner];
const secondMs = 1000;
const hourMs = 60 * 60 * secondMs;
/** Longest and default life of what is signed. */
const maxLifeMs = 365 * 24 * hourMs;
/** How long requests are kept: undecided ones a day, others an hour. */
const keepMs = { undecided: 24 * hourMs, decided: hourMs };

function isDue(object: StoredObject): boolean {
  const signed = readText(object, 'status', 'certificate') !== '';
  const stopped = hasCondition(object, 'Denied') || hasCondition(object, 'Failed');
  return hasCondition(object, 'Approved') && !signed && !stopped;
}

function lifeMs(object: StoredObject, authority: CertificateAuthority, nowMs: number): number {
  const asked = readPath(object, 'spec', 'expirationSeconds');
  const wanted = typeof asked === 'number' ? asked * secondMs : maxLifeMs;
  const left = inspectCertificate(authority.certificatePem).notAfter - nowMs;
  return Math.min(wanted, maxLifeMs, left);
}

type Outcome = { readonly certificate: string } | { readonly failure: string };

async function sign(object: StoredObject, options: SigningOptions): Promise<Outcome> {
  const request = await readRequest(object);
  if (request === undefined) return { failure: 'unable to parse csr' };
  const problem = signerProblem(object, request);
  if (problem !== undefined) return { failure: problem };
  const now = options.clock.now();
  try {
    const pem = await signCertificateSigningRequest(options.authority, requestPem(object), {
      usages: readStrings(object, 'spec', 'usages'),
      validityMs: lifeMs(object, options.authority, now),
      now,
    });
    return { certificate: Buffer.from(pem).toString('base64') };
  } catch (error) {
    if (error instanceof SlipwayError) return { failure: describeError(error) };
    throw error;
  }
}

function withOutcome(object: StoredObject, outcome: Outcome, nowMs: number): StoredObject {
  const status = readObject(object, 'status');
  if ('certificate' in outcome) return { ...object, status: { ...status, ...outcome } };
  const now = timeStamp(nowMs);
  const failed = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: outcome.failure,
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  return { ...object, status: { ...status, conditions: [...conditionsOf(object), failed] } };
}

/** When the request has been kept long enough, in ms since the epoch. */
function expiresAt(object: StoredObject): number {
  const decision = conditionsOf(object).find(({ status }) => status === 'True');
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  if (decision === undefined) return created + keepMs.undecided;
  return Date.parse(decision.lastTransitionTime ?? '') + keepMs.decided;
}

/** Signs approved requests for the API's own signers, and removes old ones. */
export function createCertificateSigning(options: SigningOptions): Loop {
  const { access, catalogue, clock } = options;
  const definition = () =>
    catalogue.find('certificates.k8s.io', 'v1', 'certificatesigningrequests');

  async function signOne(served: ResourceDefinition, object: StoredObject): Promise<void> {
    const outcome = await sign(object, options);
    const change = (current: StoredObject) =>
      isDue(current) ? withOutcome(current, outcome, clock.now()) : undefined;
    const name = object.metadata.name ?? '';
    await access.update(served, undefined, name, change, { subresource: 'status' });
  }

  async function reconcile(name: string): Promise<Again> {
    const served = definition();
    const object = served && access.get(served, undefined, name);
    if (served === undefined || object === undefined) return undefined;
    const known = signers.includes(readText(object, 'spec', 'signerName'));
    if (known && isDue(object)) await signOne(served, object);
    const left = expiresAt(access.get(served, undefined, name) ?? object) - clock.now();
    if (Number.isNaN(left)) return undefined;
    if (left > 0) return left;
    await access.delete(served, undefined, name);
    return undefined;
  }

  return new Loop({
    name: 'certificate-signing',
    ...options,
    seeds: () => {
      const served = definition();
      return served ? access.list(served).map((object) => object.metadata.name ?? '') : [];
    },
    keysOf: ({ plural }, { type, object }) =>
      plural === 'certificatesigningrequests' && type !== 'DELETED'
        ? [object.metadata.name ?? '']
        : [],
    reconcile,
  });
}
