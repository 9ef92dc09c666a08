import { hasErrors, type Issue, isJsonObject, type JsonObject } from '@slipway/base';
import { parseDocuments } from '../document/read-text.ts';
import { issueCode } from '../errors.ts';
import {
  type ConversionOptions,
  convertDocument,
  type DocumentConversion,
} from './convert-document.ts';

/** A text to convert; its name gives a name to an object whose input has none. */
export type ConversionText = { readonly file: string; readonly text: string };

export type TextConversion = DocumentConversion & { readonly file: string };

export type Conversion = {
  /** All objects in the order of the texts; none when any issue is an error. */
  readonly objects: readonly JsonObject[];
  /** By text, in the order given. */
  readonly texts: readonly TextConversion[];
  /** True when any text has something without a counterpart. */
  readonly hasDropped: boolean;
};

/** Converts texts, each of one document or several, YAML or JSON. Never throws. */
export function convertTexts(
  texts: readonly ConversionText[],
  options: ConversionOptions = {},
): Conversion {
  const names = new Set<string>();
  const converted = texts.map((text) => convertText(text, options, names));
  const isRefused = converted.some(({ issues }) => hasErrors(issues));
  return {
    objects: isRefused ? [] : converted.flatMap(({ objects }) => objects),
    texts: converted,
    hasDropped: converted.some(({ hasDropped }) => hasDropped),
  };
}

function convertText(
  { file, text }: ConversionText,
  options: ConversionOptions,
  names: Set<string>,
): TextConversion {
  const { documents, issues: faults } = parseDocuments(text);
  const identity = { ...nameOfFile(file, options.identity?.role), ...options.identity };
  const results = documents.map((tree) => {
    const result = convertDocument(tree, { ...options, identity });
    const position = tree.source?.positionAt(tree.root.range?.start ?? 0);
    return { ...result, issues: [...result.issues, ...nameTwice(result.objects, names, position)] };
  });
  const isEmpty = documents.length === 0 && faults.length === 0;
  const issues = [
    ...faults,
    ...(isEmpty ? [emptyText] : []),
    ...results.flatMap((it) => it.issues),
  ];
  return {
    file,
    issues,
    objects: hasErrors(issues) ? [] : results.flatMap(({ objects }) => objects),
    hasDropped: results.some(({ hasDropped }) => hasDropped),
  };
}

const emptyText: Issue = {
  code: issueCode.textEmpty,
  severity: 'error',
  path: '',
  line: 1,
  column: 1,
  message: 'the text has no document',
};

/** `chrony.bu` is about chrony: 99-worker-chrony. */
function nameOfFile(file: string, role = 'worker'): { name?: string } {
  const base = file.slice(file.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]+$/, '');
  const word = base
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (word === '') return {};
  return { name: /^\d/.test(word) ? word : `99-${role}-${word}` };
}

function nameTwice(
  objects: readonly JsonObject[],
  names: Set<string>,
  position: { readonly line: number; readonly column: number } | undefined,
): Issue[] {
  return objects.flatMap((object) => {
    const metadata = object['metadata'];
    const name = isJsonObject(metadata) ? String(metadata['name']) : '';
    const key = `${String(object['kind'])} ${name}`;
    if (!names.has(key)) {
      names.add(key);
      return [];
    }
    return [
      {
        code: issueCode.convertNameTwice,
        severity: 'error',
        path: 'metadata.name',
        ...position,
        message: `two inputs become ${key}`,
        hint: 'name them in the inputs, or convert them one by one with --name',
      },
    ];
  });
}
