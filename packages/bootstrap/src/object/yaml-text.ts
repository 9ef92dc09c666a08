import { stringify } from 'yaml';

/**
 * YAML as Kubernetes programs write it: members in the order of their names, lists not indented, long
 * lines not folded. Text that is stored in a cluster is the same bytes for the same meaning.
 */
export function yamlText(value: unknown): string {
  return stringify(value, {
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    version: '1.1',
    aliasDuplicateObjects: false,
  });
}
