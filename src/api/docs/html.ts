import { escapedHtml } from '../../kernel/htmlText.ts';

/** Text that is markup already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

/** Markup in which everything put in is text, unless it is markup made by this function. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((string, index) => string + markup(parts[index] ?? '')).join(''));
}

function markup(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(markup).join('');
  return escapedHtml(String(part));
}
