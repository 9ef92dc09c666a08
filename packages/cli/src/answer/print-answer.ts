import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UserError } from '@slipway/base';
import { yamlText } from '@slipway/bootstrap';
import type { CommandContext } from '../command/program.ts';
import type { CliErrorCode } from '../errors.ts';
import type { AnswerFlags, AnswerFormat } from './answer-format.ts';
import { compileJsonPathTemplate, type JsonPathTemplate } from './json-path-template.ts';

/** What a command has to say: its lines for people, and the same as objects. */
export type Answer = {
  readonly objects: readonly unknown[];
  readonly text: () => readonly string[];
};

type Print = (answer: Answer) => void;

/**
 * Makes the printer that `-o` names. To be called before the command does anything: a template that
 * cannot be read is a usage error.
 * @throws UserError `cli.usage`
 */
export async function openAnswer(
  { output: format, allowMissingTemplateKeys = true }: AnswerFlags,
  context: CommandContext,
): Promise<Print> {
  const { output } = context;
  if (format.kind === 'text')
    return ({ text }) => {
      for (const line of text()) output.line(line);
    };
  if (format.kind === 'json')
    return ({ objects }) => {
      for (const object of objects) output.line(JSON.stringify(object, undefined, 4));
    };
  if (format.kind === 'yaml')
    return ({ objects }) => {
      if (objects.length > 0) output.line(objects.map(yamlText).join('---\n').trimEnd());
    };
  const source = format.kind === 'jsonpath' ? format.template : await readTemplate(format, context);
  const template = demandSyntax(source, () =>
    compileJsonPathTemplate(source, { keys: !allowMissingTemplateKeys }),
  );
  const isJson = format.kind === 'jsonpath' && format.isJson;
  return ({ objects }) => {
    for (const object of objects) {
      // As kubectl: without an end of line of its own.
      output.text(
        demandSyntax(source, () => (isJson ? valuesText(template, object) : template.text(object))),
      );
    }
  };
}

function valuesText(template: JsonPathTemplate, object: unknown): string {
  const found = template.values(object);
  return found.map((values) => `${JSON.stringify(values, undefined, 4)}\n`).join('');
}

async function readTemplate(
  { path }: Extract<AnswerFormat, { kind: 'jsonpath-file' }>,
  { environment }: CommandContext,
): Promise<string> {
  try {
    return await readFile(resolve(environment.workingDirectory, path), 'utf8');
  } catch (cause) {
    throw usage(`read template ${path}`, cause);
  }
}

function demandSyntax<T>(template: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw usage(`use template ${template}`, cause);
  }
}

function usage(action: string, cause: unknown): UserError {
  const code: CliErrorCode = 'cli.usage';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UserError(`${action}: ${reason}`, { code });
}
