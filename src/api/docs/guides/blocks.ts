/** A block of a text in Markdown; `text` may hold emphasis, code and links. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] };

const FENCE = /^```\s*(\w*)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(?:[-*]|(\d+)\.)(\s+)(?=\S)/;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** A piece of the text that has been read: the block, and the number of its lines. */
type Taken = readonly [block: Block | undefined, lines: number];

/**
 * Takes a text in Markdown apart. It knows what the guides of this project use: headings, paragraphs, lists in lists,
 * tables, fenced code and comments. Markup is not let through, it is text.
 */
export function blocksOf(text: string): readonly Block[] {
  return blocksIn(text.split('\n'));
}

function blocksIn(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const [block, taken] = takeBlock(lines.slice(at));
    if (block) blocks.push(block);
    at += taken;
  }
  return blocks;
}

function takeBlock(lines: readonly string[]): Taken {
  const [line = '', next = ''] = lines;
  if (line.trim() === '') return [undefined, 1];
  if (line.startsWith('<!--')) return [undefined, lines.findIndex((one) => one.includes('-->')) + 1 || lines.length];
  if (FENCE.test(line)) return takeCode(lines);
  const heading = HEADING.exec(line);
  if (heading) return [{ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, 1];
  if (line.startsWith('|') && TABLE_RULE.test(next)) return takeTable(lines);
  return ITEM.test(line) ? takeList(lines) : takeParagraph(lines);
}

function takeCode(lines: readonly string[]): Taken {
  const language = FENCE.exec(lines[0] ?? '')?.[1] ?? '';
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('```'));
  const inner = lines.slice(1, end === -1 ? lines.length : end);
  return [{ kind: 'code', language, text: inner.join('\n') }, inner.length + 2];
}

function takeTable(lines: readonly string[]): Taken {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const all = lines.slice(0, end === -1 ? lines.length : end);
  const [head = '', , ...rows] = all;
  return [{ kind: 'table', head: cellsOf(head), rows: rows.map(cellsOf) }, all.length];
}

/** A bar that belongs to a cell has a backslash before it. */
function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

function takeParagraph(lines: readonly string[]): Taken {
  const end = lines.findIndex((line, index) => index > 0 && endsParagraph(line));
  const all = lines.slice(0, end === -1 ? lines.length : end);
  return [{ kind: 'paragraph', text: all.map((line) => line.trim()).join('\n') }, all.length];
}

function endsParagraph(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, ITEM].some((one) => one.test(line)) || /^(\||<!--)/.test(line);
}

function takeList(lines: readonly string[]): Taken {
  const isOrdered = isNumbered(lines[0] ?? '');
  const items: (readonly Block[])[] = [];
  let at = 0;
  while (at < lines.length && ITEM.test(lines[at] ?? '') && isNumbered(lines[at] ?? '') === isOrdered) {
    const width = ITEM.exec(lines[at] ?? '')?.[0].length ?? 0;
    const taken = itemLength(lines.slice(at), width);
    items.push(blocksIn(lines.slice(at, at + taken).map((line) => line.slice(width))));
    at += taken;
  }
  return [{ kind: 'list', isOrdered, items }, at];
}

function isNumbered(line: string): boolean {
  return ITEM.exec(line)?.[1] !== undefined;
}

/** Returns how many lines an item has: those that are indented as its text is, and the empty ones between them. */
function itemLength(lines: readonly string[], width: number): number {
  const indent = ' '.repeat(width);
  let length = 1;
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const isLazy = index === length && !line.startsWith(' ') && !endsParagraph(line);
    if (!line.startsWith(indent) && !isLazy) break;
    length = index + 1;
  }
  return length;
}
