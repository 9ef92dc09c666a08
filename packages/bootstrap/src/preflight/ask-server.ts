import { request as requestHttps } from 'node:https';

export type ServerQuestion = {
  /** `https:` or `http:`. */
  readonly url: string;
  /** Of all of it: name, connection, handshake and answer. */
  readonly timeoutMs: number;
  /** Of the answer's body; 0: only its headers. */
  readonly maxBytes: number;
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    /** Default true. */
    readonly rejectUnauthorized?: boolean;
  };
  readonly signal?: AbortSignal;
};

export type ServerAnswer = {
  readonly status: number;
  /** The header `Date`. */
  readonly date: string | undefined;
  /** At most `maxBytes` of the body. */
  readonly text: string;
};

/**
 * One GET over a connection of its own, with a bound on time and size: whatever listens there, even byte
 * by byte for ever. Rejects with an Error that says why there is no answer.
 */
export async function askServer(question: ServerQuestion): Promise<ServerAnswer> {
  const { url, timeoutMs, maxBytes, tls = {}, signal: interrupted } = question;
  // Only where it is needed: the runtime loads its whole fetch with this module.
  const ask = url.startsWith('http:') ? (await import('node:http')).request : requestHttps;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = interrupted === undefined ? deadline : AbortSignal.any([deadline, interrupted]);
  return await new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(deadline.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error);
    const call = ask(url, { ...tls, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const { statusCode: status = 0, headers } = response;
        const text = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
        resolve({ status, date: headers.date, text });
        call.destroy();
      };
      response.on('error', fail);
      response.on('end', finish);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= maxBytes) finish();
      });
      if (maxBytes === 0) finish();
    });
    call.on('error', fail);
    call.end();
  });
}
