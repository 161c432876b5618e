import type { FastifyInstance, FastifyReply } from 'fastify';
import { sharedCalendar, sharedLink } from '../../core/calendarShareLinks/sharedCalendar.ts';
import { lookOf } from '../../core/brands/brand.ts';
import type { Core } from '../../core/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { contentPolicy, renderBusy, renderCalendar, renderInvalid } from './page.ts';
import { linkVisits, VISIT_WINDOW_SECONDS } from './visits.ts';

interface ShareOptions {
  readonly core: Core;
  readonly log: Logger;
}

/** The form of every token. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** More pages than any calendar has; a higher number means the last one. */
const MOST_PAGES = 10_000;

/** Serves `/share/<token>`: public calendars as pages for everyone with the address. */
export function serveShare(app: FastifyInstance, { core, log }: ShareOptions): void {
  const mayVisit = linkVisits(core.clock);
  app.get('/share/:token', async (request, reply) => {
    const { token } = request.params as { token: string };
    const { month, page } = request.query as Record<string, unknown>;
    try {
      if (!TOKEN.test(token)) return await html(reply, 404, renderInvalid());
      // Invented tokens are not counted: any number of them blocks no real link.
      const shared = await sharedLink(core, token);
      if (!shared) return await html(reply, 404, renderInvalid());
      if (!mayVisit(shared.link.id)) {
        return await html(reply.header('retry-after', VISIT_WINDOW_SECONDS), 429, renderBusy());
      }
      const calendar = await sharedCalendar(core, shared, {
        month: typeof month === 'string' ? month : undefined,
        page: pageNumber(page),
      });
      const look = await lookOf(core.store.db, shared.account);
      return await html(reply, 200, renderCalendar(calendar, look), look);
    } catch (error) {
      log.error({ err: error }, 'a shared calendar could not be shown');
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
