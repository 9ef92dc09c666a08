import type { ResourceDefinition, StoredObject } from '../contract.ts';
import { badRequest } from '../status/status-errors.ts';

/** A parsed field selector. */
export type FieldSelector = {
  readonly empty: boolean;
  /** Set when the selector pins `metadata.name`. */
  readonly name?: string;
  readonly namespace?: string;
  readonly matches: (object: StoredObject) => boolean;
};

type Term = { readonly field: string; readonly value: string; readonly negated: boolean };

function unescaped(text: string): string {
  return text.replace(/\\([\\,=])/g, '$1');
}

function parseTerm(text: string): Term {
  const found = /^((?:\\.|[^\\=!])*)(!=|==|=)((?:\\.|[^\\])*)$/.exec(text);
  if (found === null) throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  return { field: found[1] ?? '', value: unescaped(found[3] ?? ''), negated: found[2] === '!=' };
}

function reader(definition: ResourceDefinition, field: string): (object: StoredObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name ?? '';
  if (field === 'metadata.namespace') return (object) => object.metadata.namespace ?? '';
  const known = definition.selectableFields[field];
  if (known !== undefined) return known;
  throw badRequest(`field label not supported: ${field}`);
}

function pinned(terms: readonly Term[], field: string): string | undefined {
  return terms.find((term) => term.field === field && !term.negated)?.value;
}

/** Parses `fieldSelector=` for a kind; throws 400 for fields that the kind cannot be selected by. */
export function parseFieldSelector(
  definition: ResourceDefinition,
  text: string | null,
): FieldSelector {
  if (text === null || text === '') return { empty: true, matches: () => true };
  const terms = text
    .split(/(?<!\\),/)
    .filter((term) => term !== '')
    .map(parseTerm);
  const tests = terms.map((term) => {
    const read = reader(definition, term.field);
    return (object: StoredObject) => (read(object) === term.value) !== term.negated;
  });
  const name = pinned(terms, 'metadata.name');
  const namespace = pinned(terms, 'metadata.namespace');
  return {
    empty: tests.length === 0,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    matches: (object) => tests.every((test) => test(object)),
  };
}
