import { z } from 'zod';
import { noticeKind } from './kind.ts';

const MOST_ADDRESSES = 20;
const address = z.email({ error: 'must be an address such as reception@rooms.example' });

/** Mail through the server of `mail.smtp`. */
export const email = noticeKind({
  settings: z.strictObject({ to: z.array(address).min(1).max(MOST_ADDRESSES) }),
  shown: ({ to }) => to.join(', '),
  async tell({ mail }, { to }, { id, title, text, link, files }) {
    if (mail === null) return { problem: 'no mail server is set: mail.smtp of the configuration' };
    return mail({ id, to, subject: title, text: [text, ...(link === null ? [] : [link])].join('\n\n'), files });
  },
});
