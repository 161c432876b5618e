/** A piece of a text: plain, code, emphasized, or a link. */
export type Span =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inner: readonly Span[] }
  | { readonly kind: 'link'; readonly inner: readonly Span[]; readonly target: string };

/** A piece that was found, and the place behind it. */
type Found = readonly [span: Span, end: number];

/** Takes the text of a block apart. A sign that begins nothing is text. */
export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const found = spanAt(text, at);
    if (found) {
      if (plain !== '') spans.push({ kind: 'text', text: plain });
      plain = '';
      spans.push(found[0]);
    } else plain += text.charAt(at);
    at = found?.[1] ?? at + 1;
  }
  if (plain !== '') spans.push({ kind: 'text', text: plain });
  return spans;
}

function spanAt(text: string, at: number): Found | undefined {
  switch (text.charAt(at)) {
    case '`':
      return codeAt(text, at);
    case '[':
      return linkAt(text, at);
    case '<':
      return addressAt(text, at);
    case '*':
      return strongAt(text, at) ?? emphasisAt(text, at);
    case '\\':
      return /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))
        ? [{ kind: 'text', text: text.charAt(at + 1) }, at + 2]
        : undefined;
    default:
      return undefined;
  }
}

/** Code ends with as many ticks as it begins with. */
function codeAt(text: string, at: number): Found {
  const length = ticksAt(text, at);
  const start = at + length;
  for (let end = text.indexOf('`', start); end !== -1;) {
    const ticks = ticksAt(text, end);
    if (ticks === length) {
      const code = text.slice(start, end);
      const isPadded = code.length > 2 && code.startsWith(' ') && code.endsWith(' ');
      return [{ kind: 'code', text: isPadded ? code.slice(1, -1) : code }, end + ticks];
    }
    end = text.indexOf('`', end + ticks);
  }
  return [{ kind: 'text', text: text.slice(at, start) }, start];
}

function ticksAt(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === '`') end += 1;
  return end - at;
}

function linkAt(text: string, at: number): Found | undefined {
  const close = endOf(text, at + 1, ']');
  if (close === undefined || text.charAt(close + 1) !== '(') return undefined;
  const end = text.indexOf(')', close);
  const target = text.slice(close + 2, end);
  if (end === -1 || /\s/.test(target)) return undefined;
  return [{ kind: 'link', inner: spansOf(text.slice(at + 1, close)), target }, end + 1];
}

function addressAt(text: string, at: number): Found | undefined {
  const end = text.indexOf('>', at);
  const target = text.slice(at + 1, end);
  if (end === -1 || !/^https?:\/\//.test(target) || /\s/.test(target)) return undefined;
  return [{ kind: 'link', inner: [{ kind: 'text', text: target }], target }, end + 1];
}

function strongAt(text: string, at: number): Found | undefined {
  if (!text.startsWith('**', at)) return undefined;
  const end = endOf(text, at + 2, '**');
  if (end === undefined || end === at + 2) return undefined;
  return [{ kind: 'strong', inner: spansOf(text.slice(at + 2, end)) }, end + 2];
}

/** Emphasis touches its signs and no word outside of them: 2 * 3 * 4 has none. */
function emphasisAt(text: string, at: number): Found | undefined {
  const end = endOf(text, at + 1, '*');
  if (end === undefined) return undefined;
  const inner = text.slice(at + 1, end);
  const around = text.charAt(at - 1) + text.charAt(end + 1);
  if (inner.trim() === '' || inner.trim() !== inner || /[\w*]/.test(around)) return undefined;
  return [{ kind: 'emphasis', inner: spansOf(inner) }, end + 1];
}

/** Returns where these signs stand next, neither escaped nor in code. */
function endOf(text: string, from: number, signs: string): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(signs, at)) return at;
    const sign = text.charAt(at);
    if (sign === '`') [, at] = codeAt(text, at);
    else at += sign === '\\' ? 2 : 1;
  }
  return undefined;
}
