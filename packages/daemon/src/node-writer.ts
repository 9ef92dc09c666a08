import { type AnnotationPatch, type Node, nodes } from '@slipway/api';
import type { KubeClient } from '@slipway/kube';

/**
 * The only writer of this node's annotations. Writes follow each other, are merge patches of what
 * changes, and are skipped when nothing does.
 */
export class NodeWriter {
  readonly #client: KubeClient;
  readonly #nodeName: string;
  #known: Readonly<Record<string, string>> = {};
  #last: Promise<void> = Promise.resolve();

  constructor(client: KubeClient, nodeName: string) {
    this.#client = client;
    this.#nodeName = nodeName;
  }

  /** Takes what the informer has seen: the base of the next comparison. */
  observe(node: Node): void {
    this.#known = node.metadata?.annotations ?? {};
  }

  /** Resolves when the annotations are as `patch` says. Throws what the client throws. */
  write(patch: AnnotationPatch): Promise<void> {
    const turn = this.#last.then(() => this.#write(patch));
    // The next write waits for this one, whether or not it worked.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write(patch: AnnotationPatch): Promise<void> {
    const annotations = Object.fromEntries(
      Object.entries(patch).filter(([key, value]) => (this.#known[key] ?? null) !== value),
    );
    if (Object.keys(annotations).length === 0) return;
    const body = { metadata: { annotations } };
    const written = await this.#client.patch(nodes, this.#nodeName, { type: 'merge', body });
    this.#known = written.metadata?.annotations ?? {};
  }

  /** The annotations as last seen or written. */
  get annotations(): Readonly<Record<string, string>> {
    return this.#known;
  }
}
