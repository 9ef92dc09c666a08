import { createHash } from 'node:crypto';
import type { Answer } from '../http/answer.ts';
import { parseAccept } from '../http/media-type.ts';
import type { CountedCatalogue } from '../registry/catalogue.ts';
import { groupDiscovery } from './aggregated-discovery.ts';
import {
  apiGroup,
  apiGroupList,
  coreVersions,
  groupVersions,
  resourceList,
} from './legacy-discovery.ts';

/** What a discovery answer depends on besides the catalogue. */
export type DiscoveryRequest = {
  readonly path: string;
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
};

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function wantsAggregated(accept: string | undefined): boolean {
  for (const { type, parameters } of parseAccept(accept)) {
    if (type !== 'application/json') continue;
    const { as, g, v } = parameters;
    if (as === undefined) return false;
    if (as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2') return true;
  }
  return false;
}

type Document = { readonly text: string; readonly etag: string };

/** Answers what is served; documents are made once per change of the catalogue. */
export class Discovery {
  readonly #catalogue: CountedCatalogue;
  readonly #address: () => string;
  readonly #documents = new Map<string, Document>();
  #changes = -1;

  constructor(catalogue: CountedCatalogue, address: () => string) {
    this.#catalogue = catalogue;
    this.#address = address;
  }

  /** Undefined: the path is no discovery path of anything served. */
  answer(request: DiscoveryRequest): Answer | undefined {
    const path = request.path.replace(/\/$/, '');
    const root = path === '/api' || path === '/apis';
    const aggregated = root && wantsAggregated(request.accept);
    const document = this.#document(path, aggregated);
    if (document === undefined) return undefined;
    const { text, etag } = document;
    const tags = (request.ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
    const matched = tags.includes(etag);
    return {
      kind: 'body',
      code: matched ? 304 : 200,
      contentType: aggregated ? aggregatedType : 'application/json',
      body: matched ? [] : [text],
      headers: { etag, vary: 'Accept' },
    };
  }

  #document(path: string, aggregated: boolean): Document | undefined {
    if (this.#changes !== this.#catalogue.changes()) {
      this.#documents.clear();
      this.#changes = this.#catalogue.changes();
    }
    const key = `${path} ${aggregated}`;
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const value = aggregated
      ? groupDiscovery(this.#catalogue.all(), path === '/api')
      : this.#legacy(path);
    if (value === undefined) return undefined;
    const text = JSON.stringify(value);
    const etag = `"${createHash('sha256').update(text).digest('hex').toUpperCase()}"`;
    const document = { text, etag };
    this.#documents.set(key, document);
    return document;
  }

  #legacy(path: string): Readonly<Record<string, unknown>> | undefined {
    const all = this.#catalogue.all();
    if (path === '/api') return coreVersions(this.#address());
    if (path === '/apis') return apiGroupList(all);
    const [, root, group = '', version] = path.split('/');
    if (root === 'api') {
      return group === 'v1' && version === undefined
        ? resourceList('v1', this.#catalogue.ofVersion('', 'v1'))
        : undefined;
    }
    if (root !== 'apis' || path.split('/').length > 4) return undefined;
    const versions = groupVersions(all).get(group);
    if (versions === undefined) return undefined;
    if (version === undefined) {
      return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, versions) };
    }
    if (!versions.includes(version)) return undefined;
    return resourceList(`${group}/${version}`, this.#catalogue.ofVersion(group, version));
  }
}
