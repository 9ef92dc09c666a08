/** What a URL path is about. */
export type RequestPath = {
  readonly path: string;
  /** Undefined: not about a resource of a group and version. */
  readonly resource?: ResourcePath;
};

export type ResourcePath = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
};

/** Subresources of a namespace; anything else below a namespace is a resource in it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** Decoded segments; undefined when one is empty, hides a slash or cannot be decoded: such a path is nothing's. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const raw of path.replace(/\/$/, '').slice(1).split('/')) {
    let segment: string;
    try {
      segment = decodeURIComponent(raw);
    } catch {
      return undefined;
    }
    if (segment === '' || segment === '.' || segment === '..' || segment.includes('/'))
      return undefined;
    segments.push(segment);
  }
  return segments;
}

function prefixOf(segments: readonly string[]) {
  const [root, second = '', third = ''] = segments;
  if (root === 'api' && segments.length > 2) {
    return { group: '', version: second, rest: segments.slice(2) };
  }
  if (root === 'apis' && segments.length > 3) {
    return { group: second, version: third, rest: segments.slice(3) };
  }
  return undefined;
}

function inNamespace(rest: readonly string[]): boolean {
  const [first, , third] = rest;
  return first === 'namespaces' && third !== undefined && !namespaceSubresources.has(third);
}

/** Reads a path as kube-apiserver's RequestInfo does, without the legacy `/watch/` and `/proxy/` prefixes. */
export function parseRequestPath(path: string): RequestPath {
  const segments = segmentsOf(path);
  const prefix = segments === undefined ? undefined : prefixOf(segments);
  if (prefix === undefined) return { path };
  const { group, version, rest } = prefix;
  const scoped = inNamespace(rest);
  const [plural = '', name, subresource, ...more] = scoped ? rest.slice(2) : rest;
  if (more.length > 0) return { path };
  const own = rest[0] === 'namespaces' && !scoped ? rest[1] : undefined;
  const namespace = scoped ? rest[1] : own;
  return {
    path,
    resource: {
      group,
      version,
      plural,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(subresource === undefined ? {} : { subresource }),
    },
  };
}

/** The verb of a resource request; undefined: no verb has that method and path. */
export function verbOf(
  method: string,
  at: ResourcePath,
  query: URLSearchParams,
): string | undefined {
  const watching = ['1', 'true'].includes(query.get('watch') ?? '');
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (at.name !== undefined) return 'get';
      return watching ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return at.name === undefined ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}
