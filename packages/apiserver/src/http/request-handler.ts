import { describeError, type Logger } from '@slipway/base';
import { denial } from '../auth/denial.ts';
import {
  type Authenticator,
  type Authorizer,
  type RequestAttributes,
  StatusError,
  type User,
} from '../contract.ts';
import type { CountedCatalogue } from '../registry/catalogue.ts';
import { parseRequestPath, type ResourcePath, verbOf } from '../request/request-path.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import {
  internalError,
  methodNotAllowed,
  tooManyRequests,
  unauthorized,
  unknownResource,
} from '../status/status-errors.ts';
import type { ResourceCall } from '../verbs/resource-call.ts';
import { type Answer, json } from './answer.ts';
import { impersonate } from './impersonation.ts';
import { credentialsOf, headerValues, type Incoming, type Outgoing, readBody } from './incoming.ts';
import type { Metrics } from './metrics.ts';
import { unknownPath } from './non-resource.ts';
import { writeAnswer } from './write-answer.ts';

/** A request that is about no resource. */
export type PathCall = {
  readonly path: string;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
};

export type HandlerOptions = {
  readonly catalogue: CountedCatalogue;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Answers an authorized resource request. */
  readonly serve: (verb: string, call: ResourceCall) => Promise<Answer>;
  /** Answers an authorized request for another path; undefined: there is no such path. */
  readonly servePath: (call: PathCall) => Answer | undefined | Promise<Answer | undefined>;
};

/** Requests that are answered at the same time, watches not counted. */
const maxInFlight = 400;

type Target = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly resource?: ResourcePath;
};

function targetOf(request: Incoming): Target {
  const { path, query } = parseRequestTarget(request.url ?? '/');
  return { ...parseRequestPath(path), query };
}

/** authenticate → impersonate → authorize → serve → write; every failure becomes a Status. */
export class RequestHandler {
  readonly #options: HandlerOptions;
  #inFlight = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  /** Requests being answered now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  #finished(): void {
    this.#inFlight -= 1;
    if (this.#inFlight > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Answers one request; never rejects. */
  async handle(request: Incoming, response: Outgoing): Promise<void> {
    const started = performance.now();
    this.#inFlight += 1;
    let code = 0;
    try {
      const answer = await this.#answer(request).catch((error: unknown) => this.#failure(error));
      code = answer.kind === 'body' ? answer.code : 200;
      await writeAnswer(request, response, answer);
    } catch (error) {
      this.#options.logger.warn('write answer', { cause: describeError(error), url: request.url });
      response.destroy();
    } finally {
      this.#finished();
      this.#count(request, code, (performance.now() - started) / 1000);
    }
  }

  #count(request: Incoming, code: number, seconds: number): void {
    const { resource, query } = targetOf(request);
    if (resource === undefined) return;
    const { group, version, plural, subresource = '' } = resource;
    const verb = (verbOf(request.method ?? '', resource, query) ?? '').toUpperCase();
    const known = this.#options.catalogue.find(group, version, plural) !== undefined;
    const name = known ? plural : '';
    this.#options.metrics.observe(
      { verb, group, version, resource: name, subresource },
      code,
      seconds,
    );
  }

  #failure(error: unknown): Answer {
    if (error instanceof StatusError) return statusAnswer(error);
    this.#options.logger.error('serve request', { error });
    return statusAnswer(internalError(describeError(error)));
  }

  async #answer(request: Incoming): Promise<Answer> {
    const target = targetOf(request);
    if (this.#inFlight > maxInFlight) {
      request.resume();
      throw tooManyRequests('too many requests, please try again later.', 1);
    }
    const user = await this.#user(request);
    const { resource } = target;
    if (resource === undefined) return this.#servePath(request, target, user);
    return this.#serveResource(request, { ...target, resource }, user);
  }

  async #user(request: Incoming): Promise<User> {
    const user = await this.#options.authenticator.authenticate(credentialsOf(request));
    if (user === undefined) throw unauthorized();
    const [name] = headerValues(request, 'impersonate-user');
    const groups = headerValues(request, 'impersonate-group');
    const [uid] = headerValues(request, 'impersonate-uid');
    return impersonate(
      user,
      {
        ...(name === undefined ? {} : { user: name }),
        groups,
        ...(uid === undefined ? {} : { uid }),
      },
      this.#options.authorizer,
    );
  }

  #authorize(attributes: RequestAttributes): void {
    const decision = this.#options.authorizer.authorize(attributes);
    if (!decision.allowed) throw denial(attributes, decision.reason);
  }

  async #servePath(request: Incoming, target: Target, user: User): Promise<Answer> {
    const method = request.method ?? 'GET';
    this.#authorize({ user, verb: method.toLowerCase(), path: target.path });
    request.resume();
    const answer = await this.#options.servePath({
      path: target.path,
      method,
      query: target.query,
      accept: request.headers.accept,
      ifNoneMatch: request.headers['if-none-match'],
    });
    return answer ?? unknownPath();
  }

  async #serveResource(
    request: Incoming,
    target: Target & { readonly resource: ResourcePath },
    user: User,
  ): Promise<Answer> {
    const { resource: at, query } = target;
    const verb = verbOf(request.method ?? '', at, query);
    if (verb === undefined) throw methodNotAllowed();
    this.#authorize(attributesOf(verb, at, query, user));
    const { catalogue } = this.#options;
    const definition = catalogue.find(at.group, at.version, at.plural);
    if (definition === undefined) {
      request.resume();
      if (catalogue.ofVersion(at.group, at.version).length === 0) return unknownPath();
      throw unknownResource();
    }
    const bodyless = verb === 'get' || verb === 'list' || verb === 'watch';
    if (bodyless) request.resume();
    const body = bodyless ? Buffer.alloc(0) : await readBody(request);
    return this.#options.serve(verb, {
      definition,
      at,
      query,
      user,
      accept: request.headers.accept,
      contentType: request.headers['content-type'] ?? '',
      body,
    });
  }
}

function attributesOf(
  verb: string,
  at: ResourcePath,
  query: URLSearchParams,
  user: User,
): RequestAttributes {
  const { group, version, plural, namespace, name, subresource } = at;
  const fieldSelector = query.get('fieldSelector');
  return {
    user,
    verb,
    apiGroup: group,
    apiVersion: version,
    resource: plural,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(fieldSelector === null ? {} : { fieldSelector }),
  };
}

/** A failure as its Status body. */
export function statusAnswer(error: StatusError): Answer {
  const { status } = error;
  const retry = status.details?.retryAfterSeconds;
  const answer = json(status.code, status);
  if (retry === undefined || answer.kind !== 'body') return answer;
  return { ...answer, headers: { 'retry-after': String(retry) } };
}
