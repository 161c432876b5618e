import { z } from 'zod';
import { cutTo, noticeKind, outcomeOf, wholeText, webAddress } from './kind.ts';

const LONGEST = 4_000;

/** A chat of Telegram, by a bot (https://core.telegram.org/bots/api#sendmessage). */
export const telegram = noticeKind({
  settings: z.strictObject({
    server: webAddress.default('https://api.telegram.org'),
    token: z.string().regex(/^\d{1,20}:[\w-]{10,100}$/, { error: 'must be a bot’s token such as 123456:AbCd…' }),
    chat_id: z.string().regex(/^(-?\d{1,20}|@\w{5,64})$/, { error: 'must be a number, or @name of a channel' }),
  }),
  addressIn: 'server',
  shown: ({ chat_id }) => chat_id,
  async tell({ call }, { server, token, chat_id }, told) {
    const answer = await call({
      method: 'POST',
      url: `${server.replace(/\/$/, '')}/bot${token}/sendMessage`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id,
        text: cutTo(wholeText(told), LONGEST),
        link_preview_options: { is_disabled: true },
      }),
    });
    return outcomeOf(answer, (text) => /"ok"\s*:\s*true/.test(text));
  },
});
