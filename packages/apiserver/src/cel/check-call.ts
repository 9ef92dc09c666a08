import {
  comparable,
  differenceShape,
  type FunctionDeclaration,
  functions,
  productShape,
  sameKind,
  sumShape,
} from './functions.ts';
import { bool, describeShape, dyn, type Shape } from './shape.ts';

export type CheckContext = { readonly report: (message: string) => void };

function noOverload(name: string, operands: readonly Shape[], context: CheckContext): Shape {
  const applied = operands.map(describeShape).join(', ');
  context.report(`found no matching overload for '${name}' applied to '(${applied})'`);
  return dyn;
}

function isBool(shape: Shape): boolean {
  return shape.kind === 'bool' || shape.kind === 'dyn';
}

function indexShape(container: Shape, index: Shape): Shape | undefined {
  if (container.kind === 'dyn') return dyn;
  if (container.kind === 'list') {
    return index.kind === 'int' || index.kind === 'dyn' ? container.element : undefined;
  }
  return container.kind === 'map' ? container.value : undefined;
}

function conditional([condition = dyn, then = dyn, otherwise = dyn]: readonly Shape[]) {
  if (!isBool(condition) || !sameKind(then, otherwise)) return undefined;
  return then.kind === 'null' || then.kind === 'dyn' ? otherwise : then;
}

type Rule = (a: Shape, b: Shape, all: readonly Shape[]) => Shape | undefined;

const logical: Rule = (a, b) => (isBool(a) && isBool(b) ? bool : undefined);
const equality: Rule = (a, b) => (sameKind(a, b) ? bool : undefined);
const order: Rule = (a, b) => (comparable(a, b) ? bool : undefined);
const membership: Rule = (a, b) => {
  if (b.kind === 'list') return sameKind(a, b.element) ? bool : undefined;
  return b.kind === 'map' || b.kind === 'dyn' ? bool : undefined;
};

const operators: Readonly<Record<string, Rule>> = {
  '_&&_': logical,
  '_||_': logical,
  '!_': (a) => (isBool(a) ? bool : undefined),
  '-_': (a) => (['int', 'double', 'dyn'].includes(a.kind) ? a : undefined),
  '_?_:_': (_a, _b, all) => conditional(all),
  '_==_': equality,
  '_!=_': equality,
  '_<_': order,
  '_<=_': order,
  '_>_': order,
  '_>=_': order,
  '_+_': sumShape,
  '_-_': differenceShape,
  '_*_': productShape,
  '_/_': productShape,
  '_%_': productShape,
  '@in': membership,
  _in_: membership,
  '_[_]': indexShape,
};

function accepts(declaration: FunctionDeclaration, target: Shape | undefined, count: number) {
  if (!declaration.arguments.includes(count)) return false;
  if (target === undefined || declaration.receivers === undefined) {
    return (target === undefined) === (declaration.receivers === undefined);
  }
  const { receivers } = declaration;
  return target.kind === 'dyn' || receivers.includes('any') || receivers.includes(target.kind);
}

/** The shape of a call's result; a call that no function takes is reported. */
export function checkCall(
  name: string,
  target: Shape | undefined,
  args: readonly Shape[],
  context: CheckContext,
): Shape {
  const operands = target === undefined ? args : [target, ...args];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator !== undefined) {
    const [a = dyn, b = dyn] = args;
    return operator(a, b, args) ?? noOverload(name, operands, context);
  }
  const declared = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (declared === undefined) {
    context.report(`undeclared reference to '${name}' (in container '')`);
    return dyn;
  }
  const match = declared.find((declaration) => accepts(declaration, target, args.length));
  if (match === undefined) return noOverload(name, operands, context);
  return typeof match.result === 'function' ? match.result(operands) : match.result;
}
