import { request } from 'node:https';
import { isJsonObject, type Secret, TerminalError, TransientError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';

/** A member of etcd, as it tells it. */
export type EtcdMember = {
  /** Decimal, 64 bits. */
  readonly id: string;
  /** Empty until the member started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
};

/** Membership of etcd. Every call asks one endpoint after the other until one answers. */
export interface EtcdClient {
  members(): Promise<readonly EtcdMember[]>;
  /** A learner follows and does not vote, so that a member that never starts costs no quorum. */
  addLearner(peerUrl: string): Promise<void>;
  promote(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export type EtcdConnection = {
  /** `https://10.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly key: Secret;
  readonly signal?: AbortSignal;
  /** Of one call to one endpoint; default 5 000 ms. */
  readonly timeoutMs?: number;
};

/** etcd's API over its JSON gateway (`/v3/cluster/member/…`), which every version that kubeadm runs serves. */
export function createEtcdClient(connection: EtcdConnection): EtcdClient {
  const call = (path: string, body: object) =>
    callAny(connection, `/v3/cluster/member/${path}`, body);
  return {
    members: async () => readMembers(await call('list', { linearizable: true })),
    addLearner: async (peerUrl) => {
      await call('add', { peerURLs: [peerUrl], isLearner: true });
    },
    promote: async (id) => {
      await call('promote', { ID: id });
    },
    remove: async (id) => {
      await call('remove', { ID: id });
    },
  };
}

async function callAny(connection: EtcdConnection, path: string, body: object): Promise<unknown> {
  let last: unknown;
  for (const endpoint of connection.endpoints) {
    try {
      return await callOne(connection, endpoint, path, body);
    } catch (error) {
      // An answer is an answer; silence may be another endpoint's speech.
      if (error instanceof TerminalError) throw error;
      last = error;
    }
  }
  throw last ?? unreachable('it has no endpoints');
}

function callOne(
  connection: EtcdConnection,
  endpoint: string,
  path: string,
  body: object,
): Promise<unknown> {
  const { authorityPem, certificatePem, key, timeoutMs = 5_000, signal } = connection;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${endpoint}${path}`, {
      method: 'POST',
      agent: false,
      ca: authorityPem,
      cert: certificatePem,
      key: key.reveal(),
      timeout: timeoutMs,
      headers: { 'content-type': 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error) => reject(unreachable(`${endpoint}: ${error.message}`, error)));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (incoming.statusCode === 200) resolve(JSON.parse(text));
        else reject(refused(endpoint, incoming.statusCode ?? 0, text));
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms`)));
    outgoing.on('error', (error) => reject(unreachable(`${endpoint}: ${error.message}`, error)));
    outgoing.end(JSON.stringify(body));
  });
}

function readMembers(answer: unknown): readonly EtcdMember[] {
  const members = isJsonObject(answer) ? answer['members'] : undefined;
  if (!Array.isArray(members)) return [];
  return members.filter(isJsonObject).map((member) => ({
    id: String(member['ID'] ?? ''),
    name: String(member['name'] ?? ''),
    peerUrls: texts(member['peerURLs']),
    clientUrls: texts(member['clientURLs']),
    isLearner: member['isLearner'] === true,
  }));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Failures that pass: no leader, a learner that is not in sync yet, a member that is being changed. */
const passing = /in sync with leader|no leader|too many learner/i;

function refused(endpoint: string, status: number, text: string): Error {
  let message = text.trim();
  try {
    const answer: unknown = JSON.parse(text);
    if (isJsonObject(answer)) message = String(answer['message'] ?? answer['error'] ?? message);
  } catch {
    // A proxy's page: its beginning tells enough.
    message = message.slice(0, 200);
  }
  const code: BootstrapErrorCode = 'bootstrap.etcd.refused';
  const words = `ask etcd ${endpoint}: ${message} (${status})`;
  return status >= 500 || passing.test(message)
    ? new TransientError(words, { code })
    : new TerminalError(words, { code });
}

function unreachable(reason: string, cause?: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.etcd.unreachable';
  return new TransientError(`ask etcd: ${reason}`, { code, cause });
}
