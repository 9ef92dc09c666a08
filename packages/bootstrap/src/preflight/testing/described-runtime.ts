import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeMessage, encodeMessage, messageFields, textField } from '../runtime/message.ts';

/** A container runtime by what it answers. */
export type RuntimeDescription = {
  /** Default true. */
  readonly isReady?: boolean;
  /** Absent: the runtime lacks the call RuntimeConfig. */
  readonly cgroupDriver?: 'systemd' | 'cgroupfs';
  readonly sandboxImage?: string;
  readonly images?: readonly string[];
  /** Images that can be pulled. */
  readonly registry?: readonly string[];
  /** How often the registry refuses an image before it gives it. */
  readonly refusals?: Readonly<Record<string, number>>;
  /** The call ImageStatus is refused. */
  readonly isImageStatusBroken?: boolean;
  /** Pods, each with how often it refuses to be stopped before it is. */
  readonly pods?: Readonly<Record<string, number>>;
};

export type DescribedRuntime = AsyncDisposable & {
  readonly socket: string;
  /** Images that were pulled, in their order. */
  readonly pulled: readonly string[];
  /** Pods that are there. */
  readonly pods: ReadonlyMap<string, number>;
};

type Answer = { readonly message: Uint8Array } | { readonly status: number; readonly text: string };

/** Listens on a unix socket and answers the calls of the CRI that slipway makes. */
export async function startRuntime(description: RuntimeDescription): Promise<DescribedRuntime> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-cri-'));
  const path = join(folder, 'cri.sock');
  const pulled: string[] = [];
  const pods = new Map(Object.entries(description.pods ?? {}));
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const request = Buffer.concat(chunks).subarray(5);
      const method = String(headers[':path']);
      reply(
        stream,
        podAnswerOf(pods, method, request) ?? answerOf(description, method, request, pulled),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    socket: `unix://${path}`,
    pulled,
    pods,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Undefined: the call is not about pods. */
function podAnswerOf(
  pods: Map<string, number>,
  method: string,
  request: Uint8Array,
): Answer | undefined {
  const id = textField(decodeMessage(request), 1);
  switch (method.split('/').at(-1)) {
    case 'ListPodSandbox': {
      const items = Array.from(pods.keys(), (pod) => nested(1, [{ number: 1, value: pod }]));
      return { message: Buffer.concat(items) };
    }
    case 'StopPodSandbox': {
      const refusals = pods.get(id);
      if (refusals === undefined) return { status: 5, text: 'no such pod' };
      pods.set(id, Math.max(0, refusals - 1));
      return refusals > 0 ? { status: 4, text: 'its network is busy' } : { message: empty };
    }
    case 'RemovePodSandbox':
      if (pods.get(id) !== 0) return { status: 2, text: 'it runs' };
      pods.delete(id);
      return { message: empty };
    default:
      return undefined;
  }
}

function answerOf(
  description: RuntimeDescription,
  method: string,
  request: Uint8Array,
  pulled: string[],
): Answer {
  const { images = [], registry = [], isReady = true } = description;
  const [spec = []] = messageFields(decodeMessage(request), 1);
  const image = textField(spec, 1);
  switch (method.split('/').at(-1)) {
    case 'Status':
      return { message: statusMessage(isReady, description.sandboxImage) };
    case 'RuntimeConfig':
      return description.cgroupDriver === undefined
        ? { status: 12, text: 'unknown method RuntimeConfig' }
        : { message: driverMessage(description.cgroupDriver) };
    case 'ImageStatus':
      if (description.isImageStatusBroken === true) return { status: 2, text: 'broken' };
      return { message: images.includes(image) ? nested(1, [{ number: 1, value: 'id' }]) : empty };
    case 'PullImage':
      pulled.push(image);
      return registry.includes(image) &&
        pulled.filter((one) => one === image).length > (description.refusals?.[image] ?? 0)
        ? { message: empty }
        : { status: 5, text: `${image}: not%20found` };
    default:
      return { status: 12, text: 'unknown method' };
  }
}

const empty = new Uint8Array();

function nested(number: number, fields: Parameters<typeof encodeMessage>[0]): Uint8Array {
  return encodeMessage([{ number, value: encodeMessage(fields) }]);
}

function statusMessage(isReady: boolean, sandboxImage: string | undefined): Uint8Array {
  const condition = (type: string, isTrue: boolean) =>
    nested(1, [
      { number: 1, value: type },
      { number: 2, value: isTrue },
      { number: 3, value: 'Because' },
    ]);
  const conditions = [condition('RuntimeReady', isReady), condition('NetworkReady', false)];
  const status = encodeMessage([{ number: 1, value: Buffer.concat(conditions) }]);
  if (sandboxImage === undefined) return status;
  return Buffer.concat([
    status,
    nested(2, [
      { number: 1, value: 'config' },
      { number: 2, value: JSON.stringify({ sandboxImage }) },
    ]),
  ]);
}

function driverMessage(driver: 'systemd' | 'cgroupfs'): Uint8Array {
  // The first value of an enumeration is not sent.
  return nested(1, driver === 'systemd' ? [] : [{ number: 1, value: true }]);
}

function reply(stream: ServerHttp2Stream, answer: Answer): void {
  if ('status' in answer) {
    stream.respond(
      {
        'content-type': 'application/grpc',
        'grpc-status': answer.status,
        'grpc-message': answer.text,
      },
      { endStream: true },
    );
    return;
  }
  stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(answer.message.length, 1);
  stream.end(Buffer.concat([prefix, answer.message]));
}
