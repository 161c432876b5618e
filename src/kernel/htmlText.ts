import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text in which no sign is markup, in elements and in quoted attributes. */
export function escapedHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/**
 * The `Content-Security-Policy` of a page with one style sheet in it, to the byte, and nothing from anywhere.
 * @param forms where forms may go: sources as the directive has them; left out: nowhere
 */
export function pagePolicy(style: string, forms = "'none'"): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
