import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** Largest answer that is read, in bytes. */
const maxAnswerBytes = 1024 * 1024;

export type WebhookCall = {
  readonly url: string;
  /** PEM; undefined: the system's authorities. */
  readonly authorities: string | undefined;
  readonly body: string;
  readonly timeoutMs: number;
};

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxAnswerBytes) {
      response.destroy();
      throw new Error(`response is larger than ${maxAnswerBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(call: WebhookCall, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      call.url,
      {
        method: 'POST',
        agent,
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'content-length': Buffer.byteLength(call.body),
        },
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}

/** Calls webhooks over HTTPS, keeping connections; one agent per set of authorities. */
export class WebhookClient {
  readonly #agents = new Map<string, Agent>();

  /** The body of a 2xx answer. Throws an Error in the words of Go's HTTP client. */
  async post(call: WebhookCall): Promise<string> {
    const signal = AbortSignal.timeout(call.timeoutMs);
    try {
      const response = await send(call, this.#agentFor(call.authorities), signal);
      const body = await readBody(response);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return body;
      throw new Error(
        `the server responded with the status code ${status} but did not return more information`,
      );
    } catch (error) {
      if (signal.aborted) {
        throw new Error(`Post "${call.url}": context deadline exceeded`, { cause: error });
      }
      const cause = error instanceof Error ? error.message : String(error);
      throw new Error(`Post "${call.url}": ${cause}`, { cause: error });
    }
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #agentFor(authorities: string | undefined): Agent {
    const key = createHash('sha256')
      .update(authorities ?? '')
      .digest('hex');
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 16,
      maxFreeSockets: 4,
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
    this.#agents.set(key, agent);
    return agent;
  }
}
