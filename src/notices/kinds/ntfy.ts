import { z } from 'zod';
import { cutTo, noticeKind, outcomeOf, webAddress } from './kind.ts';

/** Bytes after which ntfy makes an attachment of a text. */
const LONGEST = 3_500;
const URGENT = 5;
const NORMAL = 3;

/** Push messages of ntfy (https://docs.ntfy.sh/publish/). */
export const ntfy = noticeKind({
  settings: z.strictObject({
    server: webAddress.default('https://ntfy.sh'),
    topic: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be letters, digits, _ and -' }),
    token: z.string().min(1).max(500).nullable().default(null),
  }),
  addressIn: 'server',
  shown: ({ server }) => new URL(server).host,
  async tell({ call }, { server, topic, token }, { title, text, link, isUrgent }) {
    const body = {
      topic,
      title,
      message: cutTo(text === '' ? title : text, LONGEST),
      priority: isUrgent ? URGENT : NORMAL,
      ...(link !== null && { click: link }),
    };
    const answer = await call({
      method: 'POST',
      url: server,
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return outcomeOf(answer);
  },
});
