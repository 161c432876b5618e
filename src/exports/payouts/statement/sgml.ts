import { DEEPEST, type Draft, draftOf, type Element, lineCounter, tagName, unescaped } from './elements.ts';
import { fault, shown } from './line.ts';

/**
 * Reads the tags of OFX 1. An element with a value needs no end tag; an element with children does. An empty element
 * without an end tag looks like the beginning of a parent, so its supposed children return to the enclosing element.
 * @param from position of the first tag
 * @throws OperatorError that names the line
 */
export function parseSgml(text: string, from: number): Element {
  const lineAt = lineCounter(text);
  const top = draftOf('', 1);
  const open: Draft[] = [top];
  let at = text.indexOf('<', from);
  while (at >= 0) {
    const line = lineAt(at);
    const end = text.indexOf('>', at);
    if (end < 0) throw fault(line, 'tag', 'is never closed: the file is cut off');
    const next = text.indexOf('<', end);
    const value = unescaped(text.slice(end + 1, next < 0 ? text.length : next)).trim();
    const raw = text.slice(at + 1, end).trim();
    if (raw.startsWith('/')) close(tagName(raw.slice(1), line), line, open);
    else begin(tagName(raw.replace(/\/$/, ''), line), { line, value, open });
    if (raw.startsWith('/') && value !== '') throw fault(line, raw, `${shown(value)} stands outside of its element`);
    at = next;
  }
  const unclosed = open.find((element) => element !== top && element.children.length > 0);
  if (unclosed) throw fault(unclosed.line, unclosed.name, 'is never closed: the file is cut off');
  const [root] = top.children;
  if (root?.name !== 'OFX') throw fault(1, 'OFX', 'is missing: this is no OFX file');
  return root;
}

function begin(name: string, { line, value, open }: { line: number; value: string; open: Draft[] }): void {
  const element = draftOf(name, line);
  element.text = value;
  open.at(-1)?.children.push(element);
  open.push(element);
  const within = open.at(-2);
  // The next tag ends a value, whichever tag it is.
  if (within && within.text !== '') {
    open.splice(-2, 1);
    within.children.pop();
    open.at(-2)?.children.push(element);
  }
  if (open.length > DEEPEST) throw fault(line, name, `stands within more than ${DEEPEST} elements`);
}

function close(name: string, line: number, open: Draft[]): void {
  const at = open.findLastIndex((element) => element.name === name);
  if (at < 1) throw fault(line, name, 'is closed where it is not open');
  // The inner elements had no value, so their children belong beside them. The innermost comes first.
  for (let inner = open.length - 1; inner > at; inner -= 1) {
    open[inner - 1]?.children.push(...(open[inner]?.children.splice(0) ?? []));
  }
  open.length = at;
}
