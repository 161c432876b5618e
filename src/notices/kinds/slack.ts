import { z } from 'zod';
import { cutTo, noticeKind, outcomeOf, wholeText, webAddress } from './kind.ts';

const LONGEST = 20_000;

/** A channel of Slack, by an incoming webhook; Mattermost and Rocket.Chat take the same. */
export const slack = noticeKind({
  settings: z.strictObject({ url: webAddress }),
  addressIn: 'url',
  shown: ({ url }) => new URL(url).host,
  async tell({ call }, { url }, told) {
    const answer = await call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: cutTo(escaped(wholeText(told)), LONGEST) }),
    });
    return outcomeOf(answer);
  },
});

/** These three signs control links and mentions; everything else stands for itself. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
