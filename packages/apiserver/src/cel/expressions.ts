import type { CelInput } from '@bufbuild/cel';
import { describeError } from '@slipway/base';
import { checkExpression } from './check.ts';
import { kubernetesFunctions } from './kubernetes-functions.ts';
import { describeShape, type ScalarKind, type Shape } from './shape.ts';
import type { TimeValues } from './to-cel.ts';

/** The result of one evaluation. */
export type Evaluation =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

export type Expression = {
  /** True when the expression reads a variable; `oldSelf` makes a rule a transition rule. */
  readonly uses: (variable: string) => boolean;
  /** How deep loops over collections are nested. */
  readonly loopDepth: number;
  readonly evaluate: (variables: Readonly<Record<string, CelInput>>) => Evaluation;
};

export type Compilation =
  | { readonly expression: Expression; readonly problem?: undefined }
  | { readonly expression?: undefined; readonly problem: string };

/** Compiles and evaluates expressions of the Common Expression Language. The only door to the library. */
export interface Expressions {
  compile(
    text: string,
    variables: Readonly<Record<string, Shape>>,
    wanted: ScalarKind,
  ): Compilation;
  readonly times: TimeValues;
}

/** Longest expression, in characters; longer ones are refused. */
const maxLength = 10_000;

function pointAt(text: string, offset: number, message: string): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1);
  const source = text.split('\n')[line - 1] ?? '';
  const marker = `${'.'.repeat(column)}^`;
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${marker}`;
}

function syntaxProblem(text: string, error: unknown): string {
  const message = describeError(error).replace(/^<input>:\d+:\d+: /, '');
  const offset = /^.*?:(\d+):(\d+):/.exec(describeError(error));
  if (offset === null) return `ERROR: Syntax error: ${message}`;
  const line = Number(offset[1]) - 1;
  const start = text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0);
  return pointAt(text, start + Number(offset[2]) - 1, `Syntax error: ${message}`);
}

/** Loads the library; it is only needed once a schema or a webhook has an expression. */
async function createExpressions(): Promise<Expressions> {
  const cel = await import('@bufbuild/cel');
  const { strings } = await import('@bufbuild/cel/ext');
  const environment = cel.celEnv({ funcs: [...strings, ...kubernetesFunctions(cel)] });
  const planned = (text: string) => cel.plan(environment, cel.parse(text));
  const timestamp = planned('timestamp(x)');
  const duration = planned('duration(x)');
  return {
    compile: compileWith(cel, environment),
    times: {
      timestamp: (x) => timestamp({ x }) as CelInput,
      duration: (x) => duration({ x }) as CelInput,
    },
  };
}

type Cel = typeof import('@bufbuild/cel');

function compileWith(cel: Cel, environment: ReturnType<Cel['celEnv']>): Expressions['compile'] {
  return (text, variables, wanted) => {
    if (text.trim() === '') return { problem: 'ERROR: <input>:1:0: expression is empty' };
    if (text.length > maxLength) {
      return { problem: `expression is longer than ${maxLength} characters` };
    }
    let parsed: ReturnType<Cel['parse']>;
    try {
      parsed = cel.parse(text);
    } catch (error) {
      return { problem: syntaxProblem(text, error) };
    }
    const checked = checkExpression(parsed, new Map(Object.entries(variables)));
    const { shape, problems, loopDepth } = checked;
    if (problems.length > 0) {
      return { problem: problems.map((p) => pointAt(text, p.offset, p.message)).join('\n') };
    }
    if (shape.kind !== wanted && shape.kind !== 'dyn') {
      return { problem: `must evaluate to ${wanted}, not ${describeShape(shape)}` };
    }
    const run = cel.plan(environment, parsed);
    const names = namesIn(text);
    return {
      expression: {
        uses: (variable) => names.has(variable),
        loopDepth,
        evaluate(bindings) {
          const result = run({ ...bindings });
          return cel.isCelError(result) ? { error: result.message } : { value: result };
        },
      },
    };
  };
}

/** Identifiers outside of string literals. */
function namesIn(text: string): ReadonlySet<string> {
  const code = text.replace(/r?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/g, '');
  return new Set(code.match(/(?<!\.\s*)\b[A-Za-z_]\w*/g) ?? []);
}

/** A loader that loads the library once, at its first use. */
export function expressionLoader(): () => Promise<Expressions> {
  let loaded: Promise<Expressions> | undefined;
  return () => {
    loaded ??= createExpressions();
    return loaded;
  };
}
