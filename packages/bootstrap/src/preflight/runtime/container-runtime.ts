import { TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../../errors.ts';
import { type CgroupDriver, cgroupDriverOf } from './cgroup-driver.ts';
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
}

const unimplemented = 12;
const quickMs = 5_000;
/** An image may be large and the line narrow. */
const pullMs = 15 * 60_000;

/** The runtime behind `unix:///run/containerd/containerd.sock` or a bare path. Nothing is asked yet. */
export function createContainerRuntime(socket: string): ContainerRuntime {
  const path = socketPath(socket);
  const ask = async (method: string, request: Uint8Array = new Uint8Array(), timeoutMs = quickMs) =>
    demandAnswer(await callUnary({ socket: path, method, request, timeoutMs }), method);
  const status = (verbose: boolean) =>
    ask(`${runtimeService}/Status`, encodeMessage([{ number: 1, value: verbose }]));
  return {
    conditions: async () => readConditions(await status(false)),
    cgroupDriver: () => askCgroupDriver(path),
    sandboxImage: async () => readSandboxImage(await status(true)),
    hasImage: async (image) => {
      const fields = await ask(`${imageService}/ImageStatus`, imageRequest(image));
      return fields.some(({ number }) => number === 1);
    },
    pullImage: async (image) => {
      await ask(`${imageService}/PullImage`, imageRequest(image), pullMs);
    },
  };
}

const runtimeService = '/runtime.v1.RuntimeService';
const imageService = '/runtime.v1.ImageService';

/** Path of a socket that is given as a path or as an address `unix://…`. */
export function socketPath(socket: string): string {
  return socket.replace(/^unix:\/\//, '');
}

function demandAnswer(
  result: Awaited<ReturnType<typeof callUnary>>,
  method: string,
): readonly MessageField[] {
  if (result.answer !== undefined) return decodeMessage(result.answer);
  const code: BootstrapErrorCode = 'bootstrap.preflight.runtime';
  const why = result.message === '' ? `status ${result.status}` : result.message;
  throw new TerminalError(`ask container runtime for ${method}: ${why}`, { code });
}

async function askCgroupDriver(socket: string): Promise<CgroupDriver | undefined> {
  const method = `${runtimeService}/RuntimeConfig`;
  const result = await callUnary({ socket, method, request: new Uint8Array(), timeoutMs: quickMs });
  if (result.answer === undefined && result.status === unimplemented) return undefined;
  const [linux] = messageFields(demandAnswer(result, method), 1);
  // An enumeration's first value is not sent: systemd.
  return linux === undefined ? undefined : cgroupDriverOf(numberField(linux, 1));
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
    const { sandboxImage } = JSON.parse(textField(config, 2)) as { sandboxImage?: unknown };
    return typeof sandboxImage === 'string' && sandboxImage !== '' ? sandboxImage : undefined;
  } catch {
    // A runtime that words its configuration in another way does not tell it.
    return undefined;
  }
}

function imageRequest(image: string): Uint8Array {
  return encodeMessage([{ number: 1, value: encodeMessage([{ number: 1, value: image }]) }]);
}
