import { type Html, html } from '../../../kernel/markup/html.ts';
import { codeBlock } from '../frame/code.ts';
import { table } from '../frame/table.ts';
import { type Block, blocksOf } from './blocks.ts';
import { inlineHtml, type LinkTarget, plainText } from './inline.ts';

/** A heading of a guide. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Made as on the pages where the guides are read otherwise, so that their links fit. */
  readonly anchor: string;
}

/** A part of a guide: a heading and the plain text below it, up to the next heading. */
export interface GuideSection extends Heading {
  readonly body: string;
}

/** Renders a text in Markdown, whose first heading becomes that of the page. */
export function markdownHtml(text: string, target: LinkTarget): Html {
  const anchorOf = anchors();
  const render = (block: Block): Html => {
    switch (block.kind) {
      case 'heading':
        return headingHtml(block.level, anchorOf(plainText(block.text)), inlineHtml(block.text, target));
      case 'paragraph':
        return html`<p>${inlineHtml(block.text, target)}</p>`;
      case 'code':
        return codeBlock(block.text, { title: TITLES[block.language] ?? '', isAligned: true });
      case 'table':
        return table(
          block.head.map(plainText),
          block.rows.map((cells) => ({ cells: cells.map((cell) => inlineHtml(cell, target)) })),
        );
      case 'list':
        return listHtml(
          block.isOrdered,
          block.items.map((item) => itemHtml(item, render, target)),
        );
    }
  };
  return html`${blocksOf(text).map(render)}`;
}

const TITLES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  sql: 'SQL',
  yaml: 'YAML',
  http: 'HTTP',
  js: 'JavaScript',
  ts: 'TypeScript',
  mermaid: 'Diagram, Mermaid',
};

function headingHtml(level: number, anchor: string, text: Html): Html {
  const own = html` <a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a>`;
  if (level === 1) return html`<h1 id="${anchor}">${text}</h1>`;
  if (level === 2) return html`<h2 id="${anchor}">${text}${own}</h2>`;
  return level === 3 ? html`<h3 id="${anchor}">${text}${own}</h3>` : html`<h4 id="${anchor}">${text}${own}</h4>`;
}

function listHtml(isOrdered: boolean, items: readonly Html[]): Html {
  const all = items.map((item) => html`<li>${item}</li>`);
  return isOrdered
    ? html`<ol>
        ${all}
      </ol>`
    : html`<ul>
        ${all}
      </ul>`;
}

/** The first paragraph of an item stands without one around it, so that short lists stay close. */
function itemHtml([first, ...rest]: readonly Block[], render: (block: Block) => Html, target: LinkTarget): Html {
  if (!first) return html``;
  const start = first.kind === 'paragraph' ? inlineHtml(first.text, target) : render(first);
  return html`${start}${rest.map(render)}`;
}

/** Returns the parts of a guide, in their order; what stands before the first heading belongs to none. */
export function sectionsOf(text: string): readonly GuideSection[] {
  const anchorOf = anchors();
  const sections: GuideSection[] = [];
  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') {
      const name = plainText(block.text);
      sections.push({ level: block.level, text: name, anchor: anchorOf(name), body: '' });
    } else {
      const last = sections.pop();
      if (last) sections.push({ ...last, body: `${last.body} ${textOf(block)}`.trim() });
    }
  }
  return sections;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'code':
      return block.text;
    case 'heading':
    case 'paragraph':
      return plainText(block.text);
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ');
    case 'list':
      return block.items.flat().map(textOf).join(' ');
  }
}

/** Returns the anchor of a heading, in lower case, without signs, with hyphens: as hosts of source code make it. */
export function headingAnchor(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return plain.trim().replaceAll(/\s/g, '-');
}

/** Returns a maker of the anchors of one page, on which a repeated one gets a number. */
function anchors(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const anchor = headingAnchor(text);
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}
