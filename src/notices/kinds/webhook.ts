import { z } from 'zod';
import { messageOf } from '../../kernel/errors.ts';
import { HEADER_VALUE } from '../../kernel/signature.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import { noticeKind, outcomeOf, type Told, webAddress } from './kind.ts';

const JSON_TYPE = 'application/json';
const PLAIN = `{"id": {{ id | json }}, "topic": {{ topic | json }}, "title": {{ title | json }}, "text": {{ text | json }}, "link": {{ link | json }}}`;
/** Holds the signs on which a template without a filter breaks. */
const SAMPLE = {
  id: 'id',
  topic: 'alarms',
  title: 'A "title"',
  text: 'Two\nlines & more',
  link: 'https://x.example/a?b',
};

const header = z.string().regex(HEADER_VALUE, { error: 'has characters that no header can carry' });

/** Any service with an address of its own: a template makes what it expects, and headers carry its key. */
export const webhook = noticeKind({
  settings: z
    .strictObject({
      url: webAddress,
      method: z.enum(['POST', 'PUT']).default('POST'),
      content_type: header.default(JSON_TYPE),
      headers: z
        .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must be a header name' }), header)
        .default({}),
      body: z.string().min(1).max(10_000).default(PLAIN),
    })
    .superRefine(({ body, content_type }, context) => {
      const problem = problemOf(body, content_type);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['body'], message: problem });
    }),
  addressIn: 'url',
  shown: ({ url }) => new URL(url).host,
  async tell({ call }, { url, method, content_type, headers, body }, told) {
    const answer = await call({
      method,
      url,
      headers: { ...headers, 'content-type': content_type },
      body: renderTemplate(body, valuesOf(told)),
    });
    return outcomeOf(answer);
  },
});

function valuesOf({ id, topic, title, text, link }: Told): Readonly<Record<string, string>> {
  return { id, topic, title, text, link: link ?? '' };
}

/** Tries a template on texts with signs of every sort. */
function problemOf(body: string, contentType: string): string | undefined {
  let rendered: string;
  try {
    rendered = renderTemplate(body, SAMPLE);
  } catch (error) {
    return `cannot be filled: ${messageOf(error)}; there are id, topic, title, text and link`;
  }
  if (!contentType.startsWith(JSON_TYPE)) return undefined;
  try {
    JSON.parse(rendered);
    return undefined;
  } catch {
    return 'makes no JSON of a text with quotes and lines; write {{ text | json }}, without quotes around it';
  }
}
