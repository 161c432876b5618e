import type { FastifyInstance, FastifyReply } from 'fastify';
import { sharedCalendar, sharedLink } from '../../core/calendarShareLinks/sharedCalendar.ts';
import { lookOf } from '../../core/brands/brand.ts';
import type { Core } from '../../core/context.ts';
import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { clientAddressOf } from '../http/plainHttp.ts';
import { contentPolicy, renderBusy, renderCalendar, renderInvalid } from './page.ts';
import { requestLog } from '../http/requestLog.ts';

interface ShareOptions {
  readonly core: Core;
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
}

/** The form of every token. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** From one address, of one calendar; others who read it are counted apart. */
const VISITS_A_MINUTE = 300;
/** More pages than any calendar has; a higher number means the last one. */
const MOST_PAGES = 10_000;

/**
 * Serves `/share/<token>`: public calendars as pages for everyone with the address.
 *
 * Invented tokens are not counted: one is found out by a single look-up, nobody guesses 192 bits, and where all callers
 * come through one proxy a limit of guesses would let a single stranger close every calendar.
 */
export function serveShare(app: FastifyInstance, { core, log, trustedProxies }: ShareOptions): void {
  const visits = new LinkVisits(() => core.clock.now(), VISITS_A_MINUTE);
  const addressOf = clientAddressOf(trustedProxies);
  const busy = (reply: FastifyReply) => html(reply.header('retry-after', visits.retryAfter), 429, renderBusy());
  app.get('/share/:token', async (request, reply) => {
    const { token } = request.params as { token: string };
    const { month, page } = request.query as Record<string, unknown>;
    try {
      const shared = TOKEN.test(token) ? await sharedLink(core, token) : undefined;
      if (!shared) return await html(reply, 404, renderInvalid());
      if (!visits.mayVisit(`${shared.link.id} ${addressOf(request)}`)) return await busy(reply);
      const calendar = await sharedCalendar(core, shared, {
        month: typeof month === 'string' ? month : undefined,
        page: pageNumber(page),
      });
      const look = await lookOf(core.store.db, shared.account);
      return await html(reply, 200, renderCalendar(calendar, look), look);
    } catch (error) {
      requestLog(log, request).error({ err: error }, 'a shared calendar could not be shown');
      return html(reply, 500, renderInvalid());
    }
  });
}

function html(reply: FastifyReply, status: number, page: string, look?: Look): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders(contentPolicy(look)))
    .send(page);
}

function pageNumber(text: unknown): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page >= 1 ? Math.min(page, MOST_PAGES) : 1;
}
