import { TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../../errors.ts';
import { type CgroupDriver, cgroupDriverOf } from './cgroup-driver.ts';
import type { CallResult } from './grpc-answer.ts';
import {
  decodeMessage,
  encodeMessage,
  type MessageField,
  messageFields,
  numberField,
  textField,
} from './message.ts';
import { callUnary } from './unary-call.ts';

/** Something that a runtime says of itself: `RuntimeReady`, `NetworkReady`. */
export type RuntimeCondition = {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
};

/** A container runtime by its CRI socket. Every call throws when nobody answers or the call is refused. */
export interface ContainerRuntime {
  conditions(): Promise<readonly RuntimeCondition[]>;
  /** Undefined when the runtime does not tell it: it lacks the call RuntimeConfig. */
  cgroupDriver(): Promise<CgroupDriver | undefined>;
  /** The image of pod sandboxes; undefined when the runtime does not tell it, as containerd 2. */
  sandboxImage(): Promise<string | undefined>;
  hasImage(image: string): Promise<boolean>;
  pullImage(image: string): Promise<void>;
  /** Identifiers of all pods, running or not; over the CRI there are no others than the kubelet's. */
  pods(): Promise<readonly string[]>;
  /** Ends the containers of a pod and gives back its network. A pod that is stopped or gone is fine. */
  stopPod(id: string): Promise<void>;
  /** Removes a pod with its containers. A pod that is gone is fine. */
  removePod(id: string): Promise<void>;
}

const notFound = 5;
const unimplemented = 12;
const quickMs = 5_000;
/** Containers that do not end by themselves are killed, mounts and the network are undone. */
const podMs = 30_000;
/** An image may be large and the line narrow. */
const pullMs = 15 * 60_000;

/** The runtime behind `unix:///run/containerd/containerd.sock` or a bare path. Nothing is asked yet. */
export function createContainerRuntime(address: string): ContainerRuntime {
  const socket = socketPath(address);
  const ask = async <Answer>({ method, request, timeoutMs, read }: Question<Answer>) => {
    const call = { socket, method, request: request ?? nothing, timeoutMs: timeoutMs ?? quickMs };
    return readResult(await callUnary(call), method, read);
  };
  const status = <Answer>(isVerbose: boolean, read: Question<Answer>['read']) =>
    ask({
      ...{ method: `${runtimeService}/Status`, read },
      request: encodeMessage([{ number: 1, value: isVerbose }]),
    });
  return {
    conditions: () => status(false, readConditions),
    cgroupDriver: () => askCgroupDriver(socket),
    sandboxImage: () => status(true, readSandboxImage),
    hasImage: (image) =>
      ask({
        ...{ method: `${imageService}/ImageStatus`, request: imageRequest(image) },
        read: (fields) => fields.some(({ number }) => number === 1),
      }),
    pullImage: (image) =>
      ask({
        ...{ method: `${imageService}/PullImage`, request: imageRequest(image), timeoutMs: pullMs },
        read: () => undefined,
      }),
    pods: () => ask({ method: `${runtimeService}/ListPodSandbox`, read: readPods }),
    stopPod: (id) => endPod(socket, `${runtimeService}/StopPodSandbox`, id),
    removePod: (id) => endPod(socket, `${runtimeService}/RemovePodSandbox`, id),
  };
}

type Question<Answer> = {
  readonly method: string;
  readonly request?: Uint8Array;
  readonly timeoutMs?: number;
  readonly read: (fields: readonly MessageField[]) => Answer;
};

const nothing = new Uint8Array();
const runtimeService = '/runtime.v1.RuntimeService';
const imageService = '/runtime.v1.ImageService';

/** Path of a socket that is given as a path or as an address `unix://…`. */
export function socketPath(socket: string): string {
  return socket.replace(/^unix:\/\//, '');
}

function readResult<Answer>(
  result: CallResult,
  method: string,
  read: Question<Answer>['read'],
): Answer {
  if (result.answer === undefined) throw refused(method, refusal(result));
  try {
    return read(decodeMessage(result.answer));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused(method, `the answer is not readable: ${error.message}`, error);
  }
}

function refusal({ status, message }: { readonly status: number; readonly message: string }) {
  if (status === unimplemented && /^unknown service /.test(message)) {
    return `${message}; the plugin of the CRI is off, or did not start (see disabled_plugins in /etc/containerd/config.toml, and its log), or the runtime is older than the CRI v1 (containerd 1.6, CRI-O 1.23)`;
  }
  return message === '' ? `status ${status}` : message;
}

function refused(method: string, why: string, cause?: unknown): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.preflight.runtime';
  return new TerminalError(`ask container runtime for ${method}: ${why}`, { code, cause });
}

async function askCgroupDriver(socket: string): Promise<CgroupDriver | undefined> {
  const method = `${runtimeService}/RuntimeConfig`;
  const result = await callUnary({ socket, method, request: nothing, timeoutMs: quickMs });
  if (result.answer === undefined && result.status === unimplemented) return undefined;
  return readResult(result, method, (fields) => {
    const [linux] = messageFields(fields, 1);
    // An enumeration's first value is not sent: systemd.
    return linux === undefined ? undefined : cgroupDriverOf(numberField(linux, 1));
  });
}

/** To containerd 1.6 a pod that is gone is an error; to later ones, and by the CRI, it is none. */
async function endPod(socket: string, method: string, id: string): Promise<void> {
  const request = encodeMessage([{ number: 1, value: id }]);
  const result = await callUnary({ socket, method, request, timeoutMs: podMs });
  if (result.answer === undefined && result.status === notFound) return;
  readResult(result, method, () => undefined);
}

function readConditions(fields: readonly MessageField[]): readonly RuntimeCondition[] {
  const [status = []] = messageFields(fields, 1);
  return messageFields(status, 1).map((condition) => ({
    type: textField(condition, 1),
    isTrue: numberField(condition, 2) === 1,
    reason: textField(condition, 3),
    message: textField(condition, 4),
  }));
}

function readSandboxImage(fields: readonly MessageField[]): string | undefined {
  const config = messageFields(fields, 2).find((entry) => textField(entry, 1) === 'config');
  if (config === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(textField(config, 2));
    const { sandboxImage } = (read ?? {}) as { readonly sandboxImage?: unknown };
    return typeof sandboxImage === 'string' && sandboxImage !== '' ? sandboxImage : undefined;
  } catch {
    // A runtime that words its configuration in another way does not tell it.
    return undefined;
  }
}

function readPods(fields: readonly MessageField[]): readonly string[] {
  return messageFields(fields, 1)
    .map((pod) => textField(pod, 1))
    .filter((id) => id !== '');
}

function imageRequest(image: string): Uint8Array {
  return encodeMessage([{ number: 1, value: encodeMessage([{ number: 1, value: image }]) }]);
}
