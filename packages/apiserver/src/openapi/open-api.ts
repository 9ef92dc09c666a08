import { createHash } from 'node:crypto';
import type { Answer } from '../http/answer.ts';
import { covers, parseAccept } from '../http/media-type.ts';
import type { PathCall } from '../http/request-handler.ts';
import type { CountedCatalogue } from '../registry/catalogue.ts';
import { notAcceptable } from '../status/status-errors.ts';
import { typeTableVersion } from '../types/type-table.ts';
import { groupDocument } from './group-document.ts';
import { swaggerDocument } from './swagger-document.ts';
import {
  asksForSwaggerProtobuf,
  swaggerProtobuf,
  swaggerProtobufType,
} from './swagger-protobuf.ts';

type Document = { readonly text: string; readonly hash: string };

const jsonType = 'application/json';
const yearSeconds = 31_536_000;

/** `/openapi/v3`, `/openapi/v3/<group version>` and `/openapi/v2`, made once per change of the catalogue. */
export class OpenApi {
  readonly #catalogue: CountedCatalogue;
  readonly #documents = new Map<string, Document>();
  #changes = -1;

  constructor(catalogue: CountedCatalogue) {
    this.#catalogue = catalogue;
  }

  /** Undefined: the path is no document. Throws 406. */
  answer(call: PathCall): Answer | undefined {
    if (this.#changes !== this.#catalogue.changes()) {
      this.#documents.clear();
      this.#changes = this.#catalogue.changes();
    }
    const path = call.path.replace(/\/$/, '');
    if (path === '/openapi/v2') return this.#swaggerAnswer(call);
    if (path === '/openapi/v3')
      return this.#answer(
        call,
        this.#document('v3', () => this.#index()),
      );
    const name = /^\/openapi\/v3\/(.+)$/.exec(path)?.[1];
    if (name === undefined || !this.#names().has(name)) return undefined;
    return this.#groupAnswer(call, name);
  }

  #swaggerAnswer(call: PathCall): Answer {
    for (const entry of parseAccept(call.accept)) {
      if (covers(entry, jsonType)) break;
      if (!asksForSwaggerProtobuf(entry.type)) continue;
      const contentType = swaggerProtobufType;
      const body = [swaggerProtobuf(typeTableVersion).toString('latin1')];
      return { kind: 'body', code: 200, contentType, body, headers: { vary: 'Accept' } };
    }
    return this.#answer(
      call,
      this.#document('v2', () => this.#swagger()),
    );
  }

  #groupAnswer(call: PathCall, name: string): Answer {
    const document = this.#group(name);
    const asked = call.query.get('hash');
    if (asked !== null && asked !== document.hash) {
      const location = `/openapi/v3/${name}?hash=${document.hash}`;
      return { kind: 'body', code: 301, contentType: jsonType, body: [], headers: { location } };
    }
    const answer = this.#answer(call, document);
    if (asked === null || answer.kind !== 'body') return answer;
    const headers = {
      ...answer.headers,
      'cache-control': `public, immutable, max-age=${yearSeconds}`,
    };
    return { ...answer, headers };
  }

  #answer(call: PathCall, document: Document): Answer {
    const accepted = parseAccept(call.accept).some((entry) => covers(entry, jsonType));
    if (!accepted) throw notAcceptable([jsonType]);
    const etag = `"${document.hash}"`;
    const matched = call.ifNoneMatch?.split(',').some((tag) => tag.trim() === etag) === true;
    return {
      kind: 'body',
      code: matched ? 304 : 200,
      contentType: jsonType,
      body: matched ? [] : [document.text],
      headers: { etag, vary: 'Accept' },
    };
  }

  #document(key: string, make: () => unknown): Document {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(make());
    const hash = createHash('sha256').update(text).digest('hex').toUpperCase();
    const document = { text, hash };
    this.#documents.set(key, document);
    return document;
  }

  /** `api/v1`, `apis/apps/v1`, … with what is in them. */
  #names(): ReadonlyMap<string, { readonly group: string; readonly version: string }> {
    return new Map(
      this.#catalogue.all().map(({ group, version }) => {
        const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
        return [name, { group, version }];
      }),
    );
  }

  #group(name: string): Document {
    return this.#document(`group ${name}`, () => {
      const { group = '', version = '' } = this.#names().get(name) ?? {};
      return groupDocument(this.#catalogue.ofVersion(group, version), typeTableVersion);
    });
  }

  #index(): unknown {
    const paths = [...this.#names().keys()].map((name) => [
      name,
      { serverRelativeURL: `/openapi/v3/${name}?hash=${this.#group(name).hash}` },
    ]);
    return { paths: Object.fromEntries(paths) };
  }

  #swagger(): unknown {
    return swaggerDocument(groupDocument(this.#catalogue.all(), typeTableVersion));
  }
}
