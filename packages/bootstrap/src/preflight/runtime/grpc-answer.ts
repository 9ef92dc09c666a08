/** How a call ended: with an answer, or with a status of gRPC other than 0. */
export type CallResult =
  | { readonly answer: Uint8Array }
  | { readonly answer?: undefined; readonly status: number; readonly message: string };

/** What came back over HTTP/2. */
export type ResponseParts = {
  /** Headers and trailers, `:status` among them. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
};

/** One byte that tells whether the message is compressed, four of its length. */
const prefixLength = 5;

/** A message as gRPC sends it. */
export function frameRequest(message: Uint8Array): Uint8Array {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Reads status and message. Throws an Error that says why the response is not one of gRPC. */
export function readAnswer({ headers, body }: ResponseParts): CallResult {
  const status = headers['grpc-status'];
  if (status === undefined || !/^\d{1,3}$/.test(String(status))) {
    const http = headers[':status'];
    if (http === undefined) throw new Error('the connection was closed without an answer');
    // Headers of a call that went well, and then no more.
    const isCutOff = http === 200 && /^application\/grpc/.test(String(headers['content-type']));
    throw new Error(
      isCutOff
        ? 'the connection was closed before the answer was complete'
        : `the answer is not that of a container runtime (HTTP status ${http})`,
    );
  }
  const code = Number(status);
  if (code !== 0) {
    return { status: code, message: decodePercent(String(headers['grpc-message'] ?? '')) };
  }
  return { answer: unframe(body) };
}

function unframe(body: Buffer): Uint8Array {
  if (body.length < prefixLength) throw new Error('the answer has no message');
  // No compression was offered.
  if (body[0] !== 0) throw new Error('the answer is compressed, which was not asked for');
  const length = body.readUInt32BE(1);
  const message = body.subarray(prefixLength);
  if (message.length !== length) {
    throw new Error(`the answer has ${message.length} bytes and announces ${length}`);
  }
  return message;
}

/** Percent signs that encode nothing stay: a message is to be shown, not to be refused. */
function decodePercent(text: string): string {
  const bytes = text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
  // One line, whatever a registry answered; nothing that moves the cursor of a terminal.
  return bytes.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
