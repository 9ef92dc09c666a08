import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Writes an image of one layer that `ctr images import` takes; it waits to be killed when it is run. */
export async function writeOciImage(archive: string, reference: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const put = (content: Buffer) => {
    const digest = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, digest), content);
    return { digest: `sha256:${digest}`, size: content.length };
  };
  const putJson = (content: unknown) => put(Buffer.from(JSON.stringify(content)));
  const type = (name: string) => `application/vnd.oci.image.${name}`;
  try {
    const layer = put(await layerOf(folder));
    const config = putJson({
      ...{ architecture: 'amd64', os: 'linux', config: { Entrypoint: ['/pause'] } },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    });
    const manifest = putJson({
      ...{ schemaVersion: 2, mediaType: type('manifest.v1+json') },
      config: { mediaType: type('config.v1+json'), ...config },
      layers: [{ mediaType: type('layer.v1.tar'), ...layer }],
    });
    const annotations = { 'io.containerd.image.name': reference };
    const manifests = [{ mediaType: type('manifest.v1+json'), ...manifest, annotations }];
    writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    await pack(archive, folder, ['oci-layout', 'index.json', 'blobs']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function layerOf(folder: string): Promise<Buffer> {
  const program = join(folder, 'pause');
  writeFileSync(program, waitingProgram());
  chmodSync(program, 0o755);
  const layer = join(folder, 'layer.tar');
  await pack(layer, folder, ['pause']);
  return readFileSync(layer);
}

async function pack(archive: string, folder: string, names: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(['tar', '-C', folder, '-cf', archive, ...names]);
  if (code !== 0) throw new Error(`make ${archive}: ${stderr}`);
}
