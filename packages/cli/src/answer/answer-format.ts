import { type Command, InvalidArgumentError, Option } from 'commander';
import { withSwitches } from '../command/command-flags.ts';

/** Form of an answer: for people, as a document, or what a template of kubectl's JSONPath takes from it. */
export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | { readonly kind: 'yaml' }
  | { readonly kind: 'jsonpath'; readonly template: string; readonly isJson: boolean }
  | { readonly kind: 'jsonpath-file'; readonly path: string };

/** Flags of a command whose answer kubeadm gives in many forms. */
export type AnswerFlags = {
  readonly output: AnswerFormat;
  /** Default true: a key that a template names and that is not there is nothing. */
  readonly allowMissingTemplateKeys?: boolean;
};

/**
 * Adds `-o` and what belongs to it, as kubeadm has them for what it prints as an object of
 * output.kubeadm.k8s.io.
 */
export function withAnswerFlags(command: Command): Command {
  const format = new Option(
    '-o, --output <format>',
    'form of the answer: text, json, yaml, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE or jsonpath-file=FILE',
  )
    .argParser(parseAnswerFormat)
    .default({ kind: 'text' } satisfies AnswerFormat, 'text');
  return withSwitches(command.addOption(format), templateSwitches);
}

const templateSwitches = {
  '--allow-missing-template-keys':
    'a key that a template names and that is not there is nothing, no error (default: true)',
  '--show-managed-fields':
    'accepted for scripts made for kubeadm, without effect: no answer has managed fields',
};

/** Reads a value of `-o`, whose name may be in capitals: kubeadm takes JSON and YAML. Throws commander's error for a form that there is not. */
export function parseAnswerFormat(given: string): AnswerFormat {
  const [, typed = '', template] = /^([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
  const name = typed.toLowerCase();
  if (name === 'text' || name === 'json' || name === 'yaml') return { kind: name };
  if (!Object.hasOwn(templates, name)) {
    const why = refusals[name];
    throw new InvalidArgumentError(
      why ?? `It must be text, json, yaml, ${Object.keys(templates).join('=…, ')}=….`,
    );
  }
  if (template === undefined || template === '') {
    throw new InvalidArgumentError(`It must be followed by a template, as in ${name}=…`);
  }
  return templates[name as keyof typeof templates](template);
}

const templates = {
  jsonpath: (template: string): AnswerFormat => ({ kind: 'jsonpath', template, isJson: false }),
  'jsonpath-as-json': (template: string): AnswerFormat => ({
    kind: 'jsonpath',
    template,
    isJson: true,
  }),
  'jsonpath-file': (path: string): AnswerFormat => ({ kind: 'jsonpath-file', path }),
};

const goTemplate = 'Templates of Go are not understood; use jsonpath=TEMPLATE, or json with jq.';

/** Forms that kubeadm has and slipway has not. */
const refusals: Readonly<Record<string, string | undefined>> = {
  'go-template': goTemplate,
  'go-template-file': goTemplate,
  template: goTemplate,
  templatefile: goTemplate,
  kyaml: 'KYAML is not written; use yaml, which says the same.',
};
