import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenPage } from '../../channels/direct/bookings/pages.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import { lookOf } from '../../core/brands/brand.ts';
import { ApiError, messageOf } from '../../kernel/errors.ts';
import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { type Sent, textOf } from './fields.ts';
import { contentPolicy, plainPage } from './frame.ts';
import { languageFor, type Words, wordsOf } from './words.ts';
import { requestLog } from '../http/requestLog.ts';

/** From one address, of one page, in a minute. */
const VISITS = 240;
const ORDERS = 60;

/** Answers with pages, counts visits, and turns failures into pages. */
export class BookAnswers {
  readonly #work: DirectWork;
  readonly #log: Logger;
  readonly #addressOf: (request: FastifyRequest) => string;
  readonly #visits: LinkVisits;
  readonly #orders: LinkVisits;

  constructor(work: DirectWork, log: Logger, addressOf: (request: FastifyRequest) => string) {
    this.#work = work;
    this.#log = log;
    this.#addressOf = addressOf;
    const now = () => work.core.clock.now();
    this.#visits = new LinkVisits(now, VISITS);
    this.#orders = new LinkVisits(now, ORDERS);
  }

  /** @returns false if one address has asked for one page too often */
  mayVisit(request: FastifyRequest, key: string): boolean {
    const counted = request.method === 'POST' ? this.#orders : this.#visits;
    return counted.mayVisit(`${key} ${this.#addressOf(request)}`);
  }

  send(reply: FastifyReply, status: number, page: string, look?: Look): FastifyReply {
    return reply
      .code(status)
      .headers(pageHeaders(contentPolicy(look)))
      .send(page);
  }

  nothing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const words = wordsIn(request);
    return this.send(reply, 404, plainPage({ words, look: undefined }, words.texts.invalid, words.texts.invalidHint));
  }

  busy(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const words = wordsIn(request);
    const page = plainPage({ words, look: undefined }, words.texts.tooMany, words.texts.tooManyHint);
    return this.send(reply.header('retry-after', this.#visits.retryAfter), 429, page);
  }

  /** Runs a handler. A form that another site has sent is refused; a failure becomes a page. */
  guarding(handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site')
        return this.nothing(request, reply);
      try {
        return await handle(request, reply);
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return this.nothing(request, reply);
        requestLog(this.#log, request).error(
          { err: error, problem: messageOf(error) },
          'a booking page could not be shown',
        );
        const words = wordsIn(request);
        const page = plainPage({ words, look: undefined }, words.texts.trouble, words.texts.troubleHint);
        return this.send(reply, 500, page);
      }
    };
  }

  lookOf(account: OpenPage['account']): Promise<Look | undefined> {
    return lookOf(this.#work.core.store.db, account);
  }
}

/** Returns the language of a request: as its form or address says, else as its browser does. */
export function wordsIn(request: FastifyRequest): Words {
  const asked = request.method === 'POST' ? textOf(sentIn(request), 'lang') : (request.query as Sent)['lang'];
  return wordsOf(languageFor(asked, request.headers['accept-language']));
}

export function sentIn(request: FastifyRequest): Sent {
  return (request.body ?? {}) as Sent;
}

/** Returns the address of a request in the other language. */
export function otherLanguage(path: string, query: Sent, { language }: Words): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'lang' && name !== 'back') for (const one of [value ?? []].flat()) params.append(name, String(one));
  }
  params.set('lang', language === 'de' ? 'en' : 'de');
  return `${path}?${params.toString()}`;
}
