import { Document, parse, visit } from 'yaml';

/** True for text that would be read as something else if it had no quotes: `"0"`, `"true"`, `""`. */
function isAmbiguous(text: string): boolean {
  if (text === '') return true;
  if (text.length > 40 || /[\n:#]/.test(text)) return false;
  try {
    return typeof parse(text, { version: '1.1', logLevel: 'silent' }) !== 'string';
  } catch {
    // It is no YAML without quotes, so that it cannot be read as another value.
    return false;
  }
}

/**
 * YAML as Kubernetes programs write it: members in the order of their names, lists not indented, long
 * lines not folded; double quotes for what would be read as another type, else single ones. Text that
 * is stored in a cluster is the same bytes for the same meaning.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, {
    sortMapEntries: true,
    version: '1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && isAmbiguous(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ indentSeq: false, lineWidth: 0, singleQuote: true });
}
