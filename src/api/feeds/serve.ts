import type { FastifyInstance, FastifyReply } from 'fastify';
import { FEEDS_PATH } from '../../channels/feeds/present.ts';
import { calendarBehind } from '../../channels/feeds/serveCalendar.ts';
import type { Core } from '../../core/context.ts';
import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import type { Logger } from '../../kernel/log.ts';
import { clientAddressOf } from '../http/plainHttp.ts';
import { requestLog } from '../http/requestLog.ts';

interface FeedsOptions {
  readonly core: Core;
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
}

/** The form of every token, with the ending that calendar programs look for. */
const FILE = /^([A-Za-z0-9_-]{32})\.ics$/;
/** From one address, of one calendar; marketplaces fetch a few times an hour. */
const FETCHES_A_MINUTE = 60;

/** Serves `/feeds/<token>.ics`: the calendar of a unit for one channel or one person, to everybody with the address. */
export function serveFeeds(app: FastifyInstance, { core, log, trustedProxies }: FeedsOptions): void {
  const visits = new LinkVisits(() => core.clock.now(), FETCHES_A_MINUTE);
  const addressOf = clientAddressOf(trustedProxies);
  app.get(`${FEEDS_PATH}/:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const [, token] = FILE.exec(file) ?? [];
    try {
      if (token === undefined) return await text(reply, 404, 'There is no such calendar.');
      if (!visits.mayVisit(`${token} ${addressOf(request)}`)) {
        return await text(reply.header('retry-after', visits.retryAfter), 429, 'Too many requests.');
      }
      const calendar = await calendarBehind(core, token, String(request.headers['user-agent'] ?? ''));
      if (!calendar) return await text(reply, 404, 'There is no such calendar.');
      void reply.headers({ ...HEADERS, etag: calendar.etag });
      if (matches(request.headers['if-none-match'], calendar.etag)) return await reply.code(304).send();
      return await reply.header('content-type', 'text/calendar; charset=utf-8').send(calendar.text);
    } catch (error) {
      requestLog(log, request).error({ err: error }, 'a calendar could not be served');
      return text(reply, 500, 'The calendar cannot be served now.');
    }
  });
}

const HEADERS = {
  // A channel is to ask each time; what it has may be used again only if nothing is new.
  'cache-control': 'private, no-cache',
  'content-disposition': 'inline; filename="calendar.ics"',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
} as const;

function matches(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

function text(reply: FastifyReply, status: number, words: string): FastifyReply {
  return reply.code(status).headers(HEADERS).type('text/plain; charset=utf-8').send(words);
}
