import { isJsonObject } from '@slipway/base';

/** Keywords that OpenAPI v2 does not have. */
const unknownKeywords = new Set(['oneOf', 'anyOf', 'not', 'nullable']);

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isJsonObject(value)) return value;
  const { allOf } = value;
  if (Array.isArray(allOf) && allOf.length === 1 && isJsonObject(allOf[0])) {
    const { allOf: _allOf, default: _default, ...rest } = value;
    return convert({ ...rest, ...allOf[0] });
  }
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (unknownKeywords.has(key)) continue;
    result[key] =
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/components/schemas/', '#/definitions/')
        : convert(item);
  }
  return result;
}

function convertOperation(operation: unknown): unknown {
  if (!isJsonObject(operation)) return operation;
  const { requestBody, responses: _responses, parameters, ...rest } = operation;
  const body = isJsonObject(requestBody)
    ? [{ name: 'body', in: 'body', required: true, schema: { type: 'object' } }]
    : [];
  const consumes =
    isJsonObject(requestBody) && isJsonObject(requestBody['content'])
      ? Object.keys(requestBody['content'])
      : [];
  const plain = (Array.isArray(parameters) ? parameters : []).map((parameter) => {
    const { schema: _schema, ...named } = isJsonObject(parameter) ? parameter : {};
    return { ...named, type: 'string' };
  });
  return {
    ...rest,
    ...(consumes.length === 0 ? {} : { consumes }),
    produces: ['application/json'],
    parameters: [...body, ...plain],
    responses: { 200: { description: 'OK' } },
  };
}

function convertPath(path: unknown): unknown {
  if (!isJsonObject(path)) return path;
  return Object.fromEntries(
    Object.entries(path).map(([verb, operation]) => {
      if (verb !== 'parameters') return [verb, convertOperation(operation)];
      const converted = convertOperation({ parameters: operation });
      return [verb, isJsonObject(converted) ? converted['parameters'] : []];
    }),
  );
}

/** OpenAPI v2 of a v3 document. */
export function swaggerDocument(document: Readonly<Record<string, unknown>>): unknown {
  const { info, paths, components } = document;
  const schemas = isJsonObject(components) ? components['schemas'] : {};
  const converted = Object.entries(isJsonObject(paths) ? paths : {}).map(([path, item]) => [
    path,
    convertPath(item),
  ]);
  return {
    swagger: '2.0',
    info,
    paths: Object.fromEntries(converted),
    definitions: convert(schemas),
  };
}
