import type { Node } from 'oxc-parser';
import { nameOf, type Place, type Source } from './source.ts';

/**
 * Identifiers that refer to a global of one of these names. A name counts as local when the file or any
 * function around the reference binds it somewhere; blocks are not told apart.
 */
export function globalReferences(source: Source, names: ReadonlySet<string>): Node[] {
  const mentions = source.places.filter(({ node }) => node.type === 'Identifier' && names.has(node.name));
  const bound = mentions.filter(isBinding).map((place) => ({ name: nameOf(place.node), scope: bindingScope(place) }));
  const isLocal = (place: Place) =>
    bound.some(({ name, scope }) => name === nameOf(place.node) && place.around.some((node) => node === scope));
  return mentions.filter((place) => isReference(place) && !isLocal(place)).map(({ node }) => node);
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The function, or the file, in which a binding can be seen. */
function bindingScope({ node, around }: Place): Node | undefined {
  const scopes = around.filter(({ type }) => type === 'Program' || FUNCTIONS.has(type));
  const innermost = scopes.at(-1);
  const namesItself = innermost?.type === 'FunctionDeclaration' && innermost.id === node;
  return namesItself ? scopes.at(-2) : innermost;
}

function isBinding({ node, around }: Place): boolean {
  let inner: Node = node;
  for (const outer of around.toReversed()) {
    switch (outer.type) {
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        return outer.local === inner;
      case 'VariableDeclarator':
      case 'ClassDeclaration':
        return outer.id === inner;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        return outer.id === inner || outer.params.some((param) => param === inner);
      case 'ArrowFunctionExpression':
        return outer.params.some((param) => param === inner);
      case 'CatchClause':
        return outer.param === inner;
      case 'Property':
        if (outer.value !== inner) return false;
        break;
      case 'AssignmentPattern':
        if (outer.left !== inner) return false;
        break;
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'RestElement':
        break;
      default:
        return false;
    }
    inner = outer;
  }
  return false;
}

function isReference(place: Place): boolean {
  if (isBinding(place)) return false;
  const { node, around } = place;
  const parent = around.at(-1);
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed;
    case 'Property':
      return parent.value === node || parent.computed;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.value === node || parent.computed;
    case 'ImportSpecifier':
    case 'ExportSpecifier':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return false;
    default:
      return !parent?.type.startsWith('TS') || VALUE_WRAPPERS.has(parent.type);
  }
}

/** TypeScript's own nodes that hold a value; the others hold types, which do nothing. */
const VALUE_WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);
