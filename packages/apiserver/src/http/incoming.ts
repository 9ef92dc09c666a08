import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Credentials } from '../contract.ts';
import { badRequest, entityTooLarge, unauthorized } from '../status/status-errors.ts';

/** A request of HTTP/1.1 or, with the same members and a stream, of HTTP/2. */
export type Incoming = IncomingMessage & { readonly stream?: ServerHttp2Stream };
/** A response of HTTP/1.1 or, with the same members, of HTTP/2. */
export type Outgoing = ServerResponse;

const bodyLimitBytes = 3 * 1024 * 1024;

type Subject = { readonly certificate?: Credentials['certificate']; readonly refused: boolean };

const subjects = new WeakMap<object, Subject>();

function readSubject(socket: TLSSocket): Subject {
  const peer = socket.getPeerCertificate();
  if (Object.keys(peer).length === 0) return { refused: false };
  if (!socket.authorized) return { refused: true };
  const { CN, O }: { CN?: string | string[]; O?: string | string[] } = peer.subject;
  const commonName = Array.isArray(CN) ? (CN.at(-1) ?? '') : (CN ?? '');
  const organizations = O === undefined ? [] : [O].flat();
  return { certificate: { commonName, organizations }, refused: false };
}

function subjectOf(request: Incoming): Subject {
  const session = request.stream?.session;
  const socket = (session?.socket ?? request.socket) as TLSSocket;
  const key = session ?? request.socket;
  const known = subjects.get(key);
  if (known !== undefined) return known;
  const subject = readSubject(socket);
  subjects.set(key, subject);
  return subject;
}

/** What the connection and the headers show; throws 401 for a certificate that did not verify. */
export function credentialsOf(request: Incoming): Credentials {
  const { certificate, refused } = subjectOf(request);
  const header = request.headers.authorization ?? '';
  const bearerToken = /^Bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  if (refused && bearerToken === undefined) throw unauthorized();
  return {
    ...(certificate === undefined ? {} : { certificate }),
    ...(bearerToken === undefined ? {} : { bearerToken }),
  };
}

/** Each value of a header that may be sent more than once. */
export function headerValues(request: Incoming, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const value = request.rawHeaders[index + 1];
    if (request.rawHeaders[index]?.toLowerCase() === name && value !== undefined)
      values.push(value);
  }
  return values;
}

/** The whole body; throws 413 above 3 MiB and 400 when the peer goes away. */
export function readBody(request: Incoming): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimitBytes) chunks.push(chunk);
      else reject(entityTooLarge(bodyLimitBytes));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', (error) => reject(badRequest(error.message)));
    request.on('aborted', () => reject(badRequest('the client went away')));
  });
}
