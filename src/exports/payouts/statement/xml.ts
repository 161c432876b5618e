import { DEEPEST, type Draft, draftOf, type Element, lineCounter, tagName, unescaped } from './elements.ts';
import { fault, shown } from './line.ts';

/** Constructs that contain no elements: their beginning and their end. */
const ASIDE = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
const CDATA = '<![CDATA[';

/**
 * Reads XML into elements. It is strict: every tag must be closed, and only XML's own entities exist. Refuses a
 * document type, whose entities could grow without end or read files.
 * @throws OperatorError that names the line
 */
export function parseXml(text: string): Element {
  const lineAt = lineCounter(text);
  const top = draftOf('', 1);
  const open: Draft[] = [top];
  let at = 0;
  while (at < text.length) {
    const within = open.at(-1) ?? top;
    const next = text.indexOf('<', at);
    addText(within, unescaped(text.slice(at, next < 0 ? text.length : next)), lineAt(at));
    if (next < 0) break;
    const line = lineAt(next);
    const aside = ASIDE.find(([begin]) => text.startsWith(begin, next));
    if (aside) {
      at = endOf(text, aside[1], next, line);
    } else if (text.startsWith(CDATA, next)) {
      at = endOf(text, ']]>', next, line);
      addText(within, text.slice(next + CDATA.length, at - 3), line);
    } else if (text.startsWith('<!', next)) {
      throw fault(line, 'document type', 'is not allowed in a statement');
    } else {
      at = endOf(text, '>', next, line);
      readTag(text.slice(next + 1, at - 1), line, open);
    }
  }
  const unclosed = open.at(-1);
  if (unclosed && unclosed !== top) throw fault(unclosed.line, unclosed.name, 'is never closed: the file is cut off');
  const [root, ...others] = top.children;
  if (root === undefined || others.length > 0) throw fault(1, 'file', 'is no XML document');
  return root;
}

function endOf(text: string, end: string, from: number, line: number): number {
  const at = text.indexOf(end, from);
  if (at < 0) throw fault(line, 'tag', 'is never closed: the file is cut off');
  return at + end.length;
}

function addText(to: Draft, text: string, line: number): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  if (to.name === '') throw fault(line, 'file', `${shown(trimmed)} stands outside of its element`);
  to.text += trimmed;
}

function readTag(raw: string, line: number, open: Draft[]): void {
  const within = open.at(-1);
  if (raw.startsWith('/')) {
    const name = tagName(raw.slice(1).trim(), line);
    if (within?.name !== name) throw fault(line, name, `is closed where ${within?.name || 'nothing'} is open`);
    open.pop();
    return;
  }
  const isEmpty = raw.endsWith('/');
  const [name, attributes] = cut(isEmpty ? raw.slice(0, -1) : raw);
  const element = draftOf(tagName(name, line), line);
  readAttributes(attributes, element);
  within?.children.push(element);
  if (isEmpty) return;
  open.push(element);
  if (open.length > DEEPEST) throw fault(line, element.name, `stands within more than ${DEEPEST} elements`);
}

function cut(raw: string): [name: string, attributes: string] {
  const at = raw.search(/\s/);
  return at < 0 ? [raw, ''] : [raw.slice(0, at), raw.slice(at)];
}

const ATTRIBUTE = /\s([A-Za-z_][\w.:-]{0,80})\s{0,9}=\s{0,9}(?:"([^"]{0,1000})"|'([^']{0,1000})')/g;

function readAttributes(raw: string, element: Draft): void {
  for (const [, name = '', double, single] of raw.matchAll(ATTRIBUTE)) {
    element.attributes.set(name.slice(name.indexOf(':') + 1), unescaped(double ?? single ?? ''));
  }
}
