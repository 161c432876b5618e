import { fault, shown } from './line.ts';

/** An element of a tagged file. */
export interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  /** Its own text, trimmed. */
  readonly text: string;
}

/** An element while it is read. */
export interface Draft extends Element {
  readonly attributes: Map<string, string>;
  readonly children: Draft[];
  text: string;
}

/** Returns a new, empty element. */
export function draftOf(name: string, line: number): Draft {
  return { name, line, attributes: new Map(), children: [], text: '' };
}

/** Returns the descendant at a path, or undefined. Names have no namespaces. */
export function find(element: Element, ...path: readonly string[]): Element | undefined {
  let at: Element | undefined = element;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}

/** Returns the text at a path, or an empty text. */
export function textAt(element: Element, ...path: readonly string[]): string {
  return find(element, ...path)?.text ?? '';
}

/**
 * Returns the text of a child with its line.
 * @throws OperatorError that names the line of the element and the missing child
 */
export function getText(element: Element, name: string): { text: string; line: number } {
  const child = find(element, name);
  if (child === undefined || child.text === '') throw fault(element.line, `${element.name} ${name}`, 'is missing');
  return { text: child.text, line: child.line };
}

/** Yields every descendant of a name, in order. */
export function* allNamed(element: Element, name: string): Generator<Element> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    else yield* allNamed(child, name);
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const ENTITY = /&(#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]{1,8});/g;

/** Replaces entities in a text. Unknown ones stay, because banks forget to write `&amp;`. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** Returns a function that gives the line of a position. Positions must not go backwards. */
export function lineCounter(text: string): (at: number) => number {
  let counted = 0;
  let line = 1;
  return (at) => {
    for (let next = text.indexOf('\n', counted); next >= 0 && next < at; next = text.indexOf('\n', counted)) {
      line += 1;
      counted = next + 1;
    }
    return line;
  };
}

/** Most levels of elements: more than any statement has, few enough for the stack. */
export const DEEPEST = 64;

/**
 * Returns the name of a tag without its namespace.
 * @throws OperatorError if it is not a valid name
 */
export function tagName(raw: string, line: number): string {
  const name = raw.slice(raw.indexOf(':') + 1);
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,80}$/.test(name)) throw fault(line, 'tag', `${shown(raw)} is no name of one`);
  return name;
}
