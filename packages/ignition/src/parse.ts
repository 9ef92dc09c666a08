import type { Issue } from '@slipway/base';
import { Findings } from './findings.ts';
import { parseJson } from './json-parser.ts';
import { SourceText } from './source-text.ts';
import type { SyntaxFault } from './syntax-fault.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import { parseYaml } from './yaml-parser.ts';

export type DocumentFormat = 'json' | 'yaml';

export type ParseOptions = {
  /** Default: JSON when the text begins with a bracket or has nothing but white space, else YAML. */
  readonly format?: DocumentFormat;
};

export type ParseResult = {
  /** The documents of the text; one for JSON, any number for YAML. Documents with faults are left out. */
  readonly documents: readonly SyntaxTree[];
  /** Faults of syntax, all errors. */
  readonly issues: readonly Issue[];
};

/** Parses a text into trees with positions. Never throws; what is wrong with the text are issues. */
export function parse(text: string, options: ParseOptions = {}): ParseResult {
  const source = new SourceText(text);
  const findings = new Findings(source);
  if (text === '') {
    report(findings, { name: 'config-empty', message: 'the document is empty', offset: 0 });
    return { documents: [], issues: findings.issues() };
  }
  const documents: SyntaxTree[] = [];
  if ((options.format ?? formatOf(text)) === 'json') {
    const result = parseJson(text);
    if (result.ok) documents.push({ root: result.root, source });
    else report(findings, result.fault);
  } else {
    for (const { root, faults } of parseYaml(text)) {
      for (const fault of faults) report(findings, fault);
      if (faults.length === 0) documents.push({ root, source });
    }
  }
  return { documents, issues: findings.issues() };
}

function formatOf(text: string): DocumentFormat {
  return /^[\uFEFF\s]*(?:[{[]|$)/.test(text) ? 'json' : 'yaml';
}

function report(findings: Findings, fault: SyntaxFault): void {
  const place = { path: '', range: { start: fault.offset, end: fault.offset } };
  findings.add(fault.name, place, { message: fault.message, hint: fault.hint });
}
