import { notAcceptable } from '../status/status-errors.ts';
import { covers, type MediaType, parseAccept } from './media-type.ts';

/** In which form objects are answered. */
export type Representation =
  | { readonly form: 'object' }
  | { readonly form: 'table'; readonly apiVersion: string }
  | { readonly form: 'metadata'; readonly apiVersion: string };

const json = 'application/json';
const producible = [json, 'application/json;as=Table;v=v1;g=meta.k8s.io'];
const tableVersions = ['v1', 'v1beta1'];

function representationOf(entry: MediaType): Representation | undefined {
  if (!covers(entry, json)) return undefined;
  const { as, g, v } = entry.parameters;
  if (as === undefined) return { form: 'object' };
  if (g !== 'meta.k8s.io' || v === undefined || !tableVersions.includes(v)) return undefined;
  const apiVersion = `meta.k8s.io/${v}`;
  if (as === 'Table') return { form: 'table', apiVersion };
  const metadata = as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
  return metadata ? { form: 'metadata', apiVersion } : undefined;
}

/** The first form of the Accept header that this server can answer; throws 406. */
export function negotiate(
  accept: string | undefined,
  options: { readonly tables?: boolean } = {},
): Representation {
  for (const entry of parseAccept(accept)) {
    const found = representationOf(entry);
    if (found !== undefined && (found.form !== 'table' || options.tables !== false)) return found;
  }
  throw notAcceptable(producible);
}
