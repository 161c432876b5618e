const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is markup already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

/**
 * Builds markup and escapes every part that is not markup. Lists are joined. Lines lose the indentation of the source;
 * parts remain unchanged.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    withoutIndents(strings).reduce((text, string, index) => text + markup(parts[index - 1] ?? '') + string),
  );
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

function withoutIndents(strings: TemplateStringsArray): readonly string[] {
  const found = known.get(strings) ?? strings.map((string) => string.replaceAll(/\n\s+/g, '\n'));
  known.set(strings, found);
  return found;
}

function markup(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(markup).join('');
  return String(part).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
