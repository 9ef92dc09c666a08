import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/**
 * A program for x86-64 that waits to be killed: ELF header, one segment, and the system call pause in a
 * loop. A container of it needs nothing else.
 */
function waitingProgram(): Buffer {
  const base = 0x400000n;
  const start = 120;
  // mov eax, 34; syscall; jmp back to the beginning.
  const code = Buffer.from('b8220000000f05ebf7', 'hex');
  const program = Buffer.alloc(start + code.length);
  program.set(Buffer.from('7f454c4602010100', 'hex'));
  program.writeUInt16LE(2, 16);
  program.writeUInt16LE(62, 18);
  program.writeUInt32LE(1, 20);
  program.writeBigUInt64LE(base + BigInt(start), 24);
  program.writeBigUInt64LE(64n, 32);
  program.writeUInt16LE(64, 52);
  program.writeUInt16LE(56, 54);
  program.writeUInt16LE(1, 56);
  // The segment: loaded, readable and executable, all of the file.
  program.writeUInt32LE(1, 64);
  program.writeUInt32LE(5, 68);
  program.writeBigUInt64LE(base, 80);
  program.writeBigUInt64LE(base, 88);
  program.writeBigUInt64LE(BigInt(program.length), 96);
  program.writeBigUInt64LE(BigInt(program.length), 104);
  program.writeBigUInt64LE(4096n, 112);
  program.set(code, start);
  return program;
}

const type = (name: string) => `application/vnd.oci.image.${name}`;

/** An image of one layer, by the digests of its parts. It waits to be killed when it is run. */
export type OciImage = {
  readonly manifest: { readonly digest: string; readonly size: number };
  /** Content by digest, `sha256:…`. */
  readonly blobs: ReadonlyMap<string, Buffer>;
};

export async function makeOciImage(): Promise<OciImage> {
  const blobs = new Map<string, Buffer>();
  const put = (content: Buffer) => {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    blobs.set(digest, content);
    return { digest, size: content.length };
  };
  const putJson = (content: unknown) => put(Buffer.from(JSON.stringify(content)));
  const layer = put(await makeLayer());
  const config = putJson({
    ...{ architecture: 'amd64', os: 'linux', config: { Entrypoint: ['/pause'] } },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  });
  const manifest = putJson({
    ...{ schemaVersion: 2, mediaType: type('manifest.v1+json') },
    config: { mediaType: type('config.v1+json'), ...config },
    layers: [{ mediaType: type('layer.v1.tar'), ...layer }],
  });
  return { manifest, blobs };
}

/** Writes an image that `ctr images import` takes. */
export async function writeOciImage(archive: string, reference: string): Promise<void> {
  const { manifest, blobs } = await makeOciImage();
  const annotations = { 'io.containerd.image.name': reference };
  const manifests = [{ mediaType: type('manifest.v1+json'), ...manifest, annotations }];
  const folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  try {
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
    for (const [digest, content] of blobs) {
      writeFileSync(join(folder, 'blobs', digest.replace(':', '/')), content);
    }
    writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    await pack(archive, folder, ['oci-layout', 'index.json', 'blobs']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A registry on loopback that has one image under each name and tag. */
export async function serveOciImage(): Promise<AsyncDisposable & { readonly host: string }> {
  const { manifest, blobs } = await makeOciImage();
  const server = createServer(({ url = '', method }, response) => {
    const [, kind, reference = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(url) ?? [];
    const digest = reference.startsWith('sha256:') ? reference : manifest.digest;
    const content = kind === undefined ? undefined : blobs.get(digest);
    const isRoot = url === '/v2/';
    response.writeHead(content === undefined && !isRoot ? 404 : 200, {
      'content-type': kind === 'manifests' ? type('manifest.v1+json') : 'application/octet-stream',
      'docker-content-digest': digest,
      'content-length': content?.length ?? 0,
    });
    response.end(method === 'HEAD' ? undefined : content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function makeLayer(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-layer-'));
  try {
    writeFileSync(join(folder, 'pause'), waitingProgram());
    chmodSync(join(folder, 'pause'), 0o755);
    await pack(join(folder, 'layer.tar'), folder, ['pause']);
    return readFileSync(join(folder, 'layer.tar'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function pack(archive: string, folder: string, names: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(['tar', '-C', folder, '-cf', archive, ...names]);
  if (code !== 0) throw new Error(`make ${archive}: ${stderr}`);
}
