/** What a field may hold. Null is "absent" everywhere, as in Kubernetes. */
export type Shape =
  | { readonly kind: 'string' | 'boolean' | 'integer' | 'duration' | 'timestamp' | 'any' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: Fields };

export type Fields = Readonly<Record<string, Shape>>;

export const string: Shape = { kind: 'string' };
export const boolean: Shape = { kind: 'boolean' };
export const integer: Shape = { kind: 'integer' };
export const duration: Shape = { kind: 'duration' };
export const timestamp: Shape = { kind: 'timestamp' };
export const any: Shape = { kind: 'any' };

export function listOf(of: Shape): Shape {
  return { kind: 'list', of };
}

export function mapOf(of: Shape): Shape {
  return { kind: 'map', of };
}

export function object(fields: Fields): Shape {
  return { kind: 'object', fields };
}
