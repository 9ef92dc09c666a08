import { jsonEqual } from '@slipway/base';
import { parseDataUrl } from '../data-url.ts';
import { decodeContents } from '../effective.ts';
import { encodeIgnition } from '../encode.ts';
import { gunzip } from '../gzip.ts';
import { liftIgnition } from '../lift.ts';
import { mergeIgnition } from '../merge.ts';
import { parse } from '../parse.ts';
import { readIgnition } from '../read-ignition.ts';
import { renderIssue } from '../render-issue.ts';
import { jsonOf, type SyntaxTree, treeFromJson } from '../syntax-tree.ts';
import { parseUnitFile } from '../unit-file.ts';
import { readInstall } from '../unit-install.ts';

export type FuzzTarget = 'json' | 'yaml' | 'unit' | 'dataUrl' | 'gzip';

/** Tries an input. True when it was accepted; throws when something contradicts that. */
export const targets: Readonly<Record<FuzzTarget, (text: string) => boolean>> = {
  json: (text) => tryDocuments(text, 'json'),
  yaml: (text) => tryDocuments(text, 'yaml'),
  unit(text) {
    const file = parseUnitFile(text);
    readInstall(file);
    return file.faults.length === 0;
  },
  dataUrl(text) {
    const url = parseDataUrl(text);
    if (!url.ok && url.offset > text.length) throw new Error('the fault is outside of the URL');
    return url.ok;
  },
  gzip(text) {
    const bytes = Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return gunzip(bytes, 1 << 20).ok;
  },
};

function tryDocuments(text: string, format: 'json' | 'yaml'): boolean {
  const { documents, issues } = parse(text, { format });
  for (const issue of issues) renderIssue(issue, text);
  return documents.map((tree) => tryDocument(tree, text)).some((isAccepted) => isAccepted);
}

/** What validation accepts, encoding, decoding, merging, lifting and validation after them must accept. */
function tryDocument(tree: SyntaxTree, text: string): boolean {
  const read = readIgnition(tree, { prefix: 'spec.config' });
  for (const issue of read.issues) {
    if (issue.line === undefined) throw new Error(`no position: ${issue.code}`);
    renderIssue(issue, text);
  }
  liftIgnition(tree);
  const { config } = read;
  if (config === undefined) return false;
  for (const file of config.files) decodeContents(file);
  const document = encodeIgnition(config);
  const again = readIgnition(treeFromJson(document)).config;
  if (!jsonEqual(again, config)) throw new Error('encoding and reading changes the config');
  if (readIgnition(treeFromJson(jsonOf(tree.root))).config === undefined) {
    throw new Error('refused without positions');
  }
  const source = { label: 'a', config };
  const merged = mergeIgnition([source, { ...source, label: 'b' }]);
  if (!jsonEqual(merged.config, config)) throw new Error('merging with itself changes the config');
  if (liftIgnition(tree).document === undefined) throw new Error('accepted, but not lifted');
  return true;
}
