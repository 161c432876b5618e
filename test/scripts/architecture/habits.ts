import type { Node } from 'oxc-parser';
import { nameOf, propertyOf, type Source, type Violation } from './source.ts';

const LONGEST_FILE_LINES = 400;

/** A file that long is a dispatcher, an option parser or a bin of types. */
export function tooLong({ file, text }: Source): Violation[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > LONGEST_FILE_LINES
    ? [{ file, line: LONGEST_FILE_LINES, problem: `${lines} lines; ${LONGEST_FILE_LINES} are the most` }]
    : [];
}

export function defaultExports(source: Source): Violation[] {
  return nodesOf(source)
    .filter(
      (node) =>
        node.type === 'ExportDefaultDeclaration' ||
        (node.type === 'ExportSpecifier' && nameOf(node.exported) === 'default'),
    )
    .map((node) => source.at(node, 'a default export has no name to search for'));
}

const SECRET = /(secret|token|signature|password)s?(_?(hash|digest|hex|text|value))?$/i;
const EQUALITY = new Set(['===', '!==', '==', '!=']);

/** A secret compared in a time that depends on how much of it was guessed; `sameSecret` does not. */
export function comparedSecrets(source: Source): Violation[] {
  return nodesOf(source)
    .filter((node) => {
      if (node.type !== 'BinaryExpression' || !EQUALITY.has(node.operator)) return false;
      const sides = [node.left, node.right];
      return sides.some(namesSecret) && !sides.some(isKnown);
    })
    .map((node) => source.at(node, 'compare secrets with sameSecret'));
}

function namesSecret(node: Node): boolean {
  return SECRET.test((node.type === 'Identifier' ? node.name : propertyOf(node)) ?? '');
}

/** Literals, `undefined`, `-1`: whoever reads the program knows them. */
function isKnown(node: Node): boolean {
  if (node.type === 'UnaryExpression') return true;
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  return node.type === 'Literal' || nameOf(node) === 'undefined';
}

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite']);
const LEFT_OUT = new Set(['only', 'skip', 'todo']);

/** `it.only(…)`, `test.skip(…)`, `describe('…', { todo: true }, …)`. The runner finds `t.skip()`. */
export function leftOutTests(source: Source): Violation[] {
  return nodesOf(source).flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const names = [node.callee.type === 'MemberExpression' ? node.callee.object : node.callee].map(nameOf);
    const property = propertyOf(node.callee);
    if (![...names, property].some((name) => TEST_FUNCTIONS.has(name ?? ''))) return [];
    const found = [property, ...node.arguments.flatMap(optionNames)].find((name) => LEFT_OUT.has(name ?? ''));
    return found === undefined ? [] : [source.at(node, `${found}: every test in the tree runs`)];
  });
}

function optionNames(argument: Node): (string | undefined)[] {
  if (argument.type !== 'ObjectExpression') return [];
  return argument.properties.map((property) => (property.type === 'Property' ? nameOf(property.key) : undefined));
}

function nodesOf({ places }: Source): Node[] {
  return places.map(({ node }) => node);
}
