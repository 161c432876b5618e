import { posix } from 'node:path';
import { parseSync, visitorKeys, type Node } from 'oxc-parser';

/** One rule broken in one place. */
export interface Violation {
  /** Path from the root of the project, with slashes. */
  file: string;
  line: number;
  problem: string;
}

/** A module named by another one, whatever the form: import, export from, `import()`, `import('x').T`, require. */
export interface Import {
  line: number;
  /** As written. */
  specifier: string;
  /** The file meant, as a path from the root of the project; undefined for packages and Node's own modules. */
  file: string | undefined;
  /** What is taken from the module under its exported name; `*` for all of it. */
  names: string[];
}

export interface Source {
  file: string;
  text: string;
  /** Every node in the order of the text, each before what it contains. */
  places: readonly Place[];
  imports: Import[];
  at(node: Node, problem: string): Violation;
}

/** A node with the nodes around it, the innermost last. */
export interface Place {
  node: Node;
  around: readonly Node[];
}

/** Parses TypeScript. Throws when the text is not well formed. */
export function parseSource(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' });
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const places = placesOf(program, []);
  const imports = places.flatMap(({ node }) => {
    const found = importOf(node);
    return found ? [{ ...found, file: target(file, found.specifier), line: lineOf(node.start) }] : [];
  });
  return { file, text, places, imports, at: (node, problem) => ({ file, line: lineOf(node.start), problem }) };
}

function placesOf(node: Node, around: readonly Node[], into: Place[] = []): Place[] {
  into.push({ node, around });
  const inside = [...around, node];
  for (const key of visitorKeys[node.type] ?? []) {
    const value: unknown = Reflect.get(node, key);
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) placesOf(child, inside, into);
  }
  return into;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The identifier's name or the text's value, when the node is one of the two. */
export function nameOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return undefined;
}

/** `now` of `Date.now`, `Date?.now` and `Date['now']`. */
export function propertyOf(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  return node.computed && node.property.type === 'Identifier' ? undefined : nameOf(node.property);
}

function importOf(node: Node): { specifier: string; names: string[] } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return {
        specifier: node.source.value,
        names: node.specifiers.map((one) =>
          one.type === 'ImportSpecifier'
            ? (nameOf(one.imported) ?? '*')
            : one.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*',
        ),
      };
    case 'ExportNamedDeclaration':
      if (!node.source) return undefined;
      return { specifier: node.source.value, names: node.specifiers.map((one) => nameOf(one.local) ?? '*') };
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, names: ['*'] };
    case 'TSImportType':
      return { specifier: node.source.value, names: ['*'] };
    case 'ImportExpression':
      return { specifier: textOf(node.source), names: ['*'] };
    case 'TSExternalModuleReference':
      return { specifier: node.expression.value, names: ['*'] };
    case 'CallExpression':
      if (nameOf(node.callee) !== 'require' || node.callee.type !== 'Identifier') return undefined;
      return { specifier: textOf(node.arguments[0]), names: ['*'] };
    default:
      return undefined;
  }
}

/** Stands for a module whose name is made at run time; no room allows it. */
const COMPUTED = '(computed)';

function textOf(node: Node | undefined): string {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : COMPUTED;
}

function target(file: string, specifier: string): string | undefined {
  if (specifier === COMPUTED) return COMPUTED;
  if (!/^[./]/.test(specifier)) return undefined;
  return posix.normalize(posix.join(posix.dirname(file), specifier));
}
