import { createPublicKey, type KeyObject } from 'node:crypto';
import { describeError } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import { encodePublicKey, encodeTraditionalKey, parsePrivateKey } from '@slipway/pki';
import { readHostText } from '../host-text/read-host-text.ts';
import type { Refusal } from './judge-pair.ts';
import { certificateFolder, pairPath, privateFile } from './stored-pair.ts';

/** What is to be done about the key pair that signs tokens of service accounts. */
export type ServiceAccountVerdict =
  | { readonly kind: 'reuse' }
  | { readonly kind: 'make' }
  /** Only the private key is there: the public one follows from it. */
  | { readonly kind: 'derive'; readonly publicPem: string }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

/** `sa.key` and `sa.pub` as they are. */
export async function judgeServiceAccountKey(
  files: HostFiles,
  directory: HostPath,
): Promise<ServiceAccountVerdict> {
  const path = pairPath(directory, 'sa');
  const privatePem = await readHostText(files, `${path}.key`);
  const publicPem = await readHostText(files, `${path}.pub`);
  const refuse = (reason: string): ServiceAccountVerdict => ({
    kind: 'refuse',
    refusal: { reason, remedy: `restore ${path}.key and ${path}.pub, or move both away` },
  });
  if (privatePem === undefined) {
    return publicPem === undefined
      ? { kind: 'make' }
      : refuse(`${path}.pub is there without its key`);
  }
  try {
    const derived = encodePublicKey(parsePrivateKey(privatePem));
    if (publicPem === undefined) return { kind: 'derive', publicPem: derived };
    const isSame = createPublicKey(publicPem).equals(createPublicKey(derived));
    return isSame ? { kind: 'reuse' } : refuse(`${path}.pub does not belong to ${path}.key`);
  } catch (error) {
    return refuse(`${path}.key and ${path}.pub cannot be used: ${describeError(error)}`);
  }
}

/** Writes what is missing: the private key first, so that an interruption leaves what the public one follows from. */
export async function writeServiceAccountKey(
  files: HostFiles,
  directory: HostPath,
  verdict: Exclude<ServiceAccountVerdict, { kind: 'refuse' }>,
  makeKey: () => Promise<KeyObject>,
): Promise<void> {
  if (verdict.kind === 'reuse') return;
  const path = pairPath(directory, 'sa');
  const write = (file: string, text: string) => files.write(file, Buffer.from(text), privateFile);
  if (verdict.kind === 'derive') return await write(`${path}.pub`, verdict.publicPem);
  const key = await makeKey();
  await files.makeDirectory(directory, certificateFolder);
  await write(`${path}.key`, encodeTraditionalKey(key).reveal());
  await write(`${path}.pub`, encodePublicKey(key));
}
