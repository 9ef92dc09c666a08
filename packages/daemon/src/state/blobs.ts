import type { StateFiles } from './state-files.ts';

const directory = 'contents';

/** Saved contents by digest: originals, and what an update in progress replaces. Mode 0600. */
export class Blobs {
  readonly #files: StateFiles;

  constructor(files: StateFiles) {
    this.#files = files;
  }

  async save(digest: string, content: Uint8Array): Promise<void> {
    const name = nameOf(digest);
    if ((await this.#files.readBytes(name))?.length === content.length) return;
    await this.#files.writeBytes(name, content);
  }

  read(digest: string): Promise<Uint8Array | undefined> {
    return this.#files.readBytes(nameOf(digest));
  }

  /** Removes every content but those named. */
  async keepOnly(digests: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...digests].map(nameOf));
    for (const entry of await this.#files.list(directory)) {
      const name = `${directory}/${entry}`;
      if (!kept.has(name)) await this.#files.remove(name);
    }
  }
}

function nameOf(digest: string): string {
  return `${directory}/${digest.replace(':', '-')}`;
}
