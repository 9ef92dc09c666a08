import { isGone } from '../errors.ts';

/** What is told to whoever reads a list by pages. */
export type PageReader<P> = {
  /** Forget what was read: the list begins, or begins again. */
  begin(): void;
  page(page: P): void;
};

/** How often a list is begun again by pages before it is asked for in one piece. */
const maxPagedTries = 3;

/**
 * Reads a list whose pages all are of one revision. A continue token that expired on the way (410)
 * throws everything away and begins again; at last without pages, which cannot expire.
 * `open` gets the page size, undefined for no limit.
 */
export async function readConsistently<P>(
  open: (limit: number | undefined) => AsyncIterable<P>,
  reader: PageReader<P>,
  limit: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    reader.begin();
    try {
      const pages = open(attempt <= maxPagedTries ? limit : undefined);
      for await (const page of pages) reader.page(page);
      return;
    } catch (error) {
      if (!isGone(error) || attempt > maxPagedTries) throw error;
    }
  }
}
