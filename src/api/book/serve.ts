import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { holdQuote, methodsOf } from '../../channels/direct/bookings/hold.ts';
import { BOOK_PATH, openPage, type OpenPage } from '../../channels/direct/bookings/pages.ts';
import { keepQuote, keptQuote, type Refusal } from '../../channels/direct/bookings/quotes.ts';
import { openBookingToken } from '../../channels/direct/bookings/secrets.ts';
import { propertyById } from '../../channels/direct/bookings/table.ts';
import { beginPayment } from '../../channels/direct/payments/begin.ts';
import { readSettings } from '../../channels/direct/payments/settings.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { clientAddressOf } from '../http/plainHttp.ts';
import { BookAnswers, otherLanguage, sentIn, wordsIn } from './answers.ts';
import { calendarOf } from './calendarOf.ts';
import { type Errors, guestFields, readGuest, readWish, type Sent, searchFields, textOf } from './fields.ts';
import type { Shell } from './frame.ts';
import { renderCalendar, type SearchFields } from './calendarView.ts';
import { type GuestFields, renderQuote } from './quoteView.ts';
import { renderRefusal } from './refusalView.ts';
import { serveBookings } from './serveBooking.ts';
import type { Words } from './words.ts';

export interface BookOptions {
  readonly work: DirectWork;
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
}

const FORM_BYTES = 32_768;

/** Serves `/book/<token>`: the pages where guests book. They need no script and set no cookie. */
export function serveBook(app: FastifyInstance, { work, log, trustedProxies }: BookOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const plain = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser<string>(plain, { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, formOf(body)),
    );
    const answers = new BookAnswers(work, log, clientAddressOf(trustedProxies));
    new BookPages(scope, work, answers).serve();
    serveBookings(scope, work, answers);
  });
}

function formOf(body: string): Sent {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return fields;
}

interface Opened {
  readonly open: OpenPage;
  readonly base: string;
  readonly words: Words;
  readonly look: Look | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

class BookPages {
  readonly #app: FastifyInstance;
  readonly #work: DirectWork;
  readonly #answers: BookAnswers;

  constructor(app: FastifyInstance, work: DirectWork, answers: BookAnswers) {
    this.#app = app;
    this.#work = work;
    this.#answers = answers;
  }

  serve(): void {
    const opening = (handle: (opened: Opened) => Promise<FastifyReply>) =>
      this.#answers.guarding(async (request, reply) => {
        const { token } = request.params as { token: string };
        const open = await openPage(this.#work.core, token);
        if (!open) return this.#answers.nothing(request, reply);
        if (!this.#answers.mayVisit(request, `page ${open.page.account_id} ${open.page.id}`))
          return this.#answers.busy(request, reply);
        const look = await this.#answers.lookOf(open.account);
        return handle({ open, base: `${BOOK_PATH}/${token}`, words: wordsIn(request), look, request, reply });
      });
    this.#app.get(
      `${BOOK_PATH}/:token`,
      opening((opened) => this.#showCalendar(opened, opened.request.query as Sent)),
    );
    this.#app.post(
      `${BOOK_PATH}/:token/quotes`,
      opening((opened) => this.#ask(opened)),
    );
    this.#app.get(
      `${BOOK_PATH}/:token/quotes/:quote`,
      opening((opened) => this.#showQuote(opened, 200, guestFields({}))),
    );
    this.#app.post(
      `${BOOK_PATH}/:token/quotes/:quote`,
      opening((opened) => this.#book(opened)),
    );
  }

  async #showCalendar(
    opened: Opened,
    asked: Sent,
    wrong?: { status: number; typed: SearchFields; errors?: Errors; refusal?: Refusal },
  ): Promise<FastifyReply> {
    const { open, base, words, look, reply } = opened;
    const typed = wrong?.typed ?? searchFields(asked);
    const found = await calendarOf(this.#work, open, { ...asked, from: typed.from });
    const other = otherLanguage(base, asked, words);
    const shell: Shell = { words, look, other };
    const { property } = found;
    const page = renderCalendar(shell, {
      ...found,
      open,
      base,
      typed,
      errors: wrong?.errors ?? {},
      refusal:
        wrong?.refusal && property ? renderRefusal(words, wrong.refusal, { base, propertyId: property.id }) : undefined,
    });
    return this.#answers.send(reply, wrong?.status ?? 200, page, look);
  }

  /** Keeps a quote, and leads to it. */
  async #ask(opened: Opened): Promise<FastifyReply> {
    const { open, base, words, request, reply } = opened;
    const sent = sentIn(request);
    const typed = searchFields(sent);
    const read = readWish(words, typed);
    const asked = { property: textOf(sent, 'property'), lang: words.language };
    if ('errors' in read) return this.#showCalendar(opened, asked, { status: 422, typed, errors: read.errors });
    const property_id = Number(asked.property);
    const kept = await keepQuote(this.#work, open, { ...read.wish, property_id });
    if ('refused' in kept) return this.#showCalendar(opened, asked, { status: 409, typed, refusal: kept });
    return reply.redirect(`${base}/quotes/${kept.row.id}?lang=${words.language}`, 303);
  }

  async #showQuote(
    opened: Opened,
    status: number,
    typed: GuestFields,
    wrong: { errors?: Errors; refusal?: Refusal } = {},
  ): Promise<FastifyReply> {
    const { open, base, words, look, request, reply } = opened;
    const { core } = this.#work;
    const { quote: id } = request.params as { quote: string };
    const kept = await keptQuote(this.#work, open, id);
    const property = kept && (await propertyById(core.store.db, open.account.account_id, kept.row.property_id));
    if (!kept || !property) return this.#answers.nothing(request, reply);
    const settings = await readSettings(core.store.db, open.account.account_id);
    const { refusal } = wrong;
    const shell: Shell = { words, look, other: otherLanguage(`${base}/quotes/${id}`, {}, words) };
    const page = renderQuote(shell, {
      base,
      kept,
      property,
      rules: open.page.rules,
      methods: methodsOf(settings, kept.quote.currency),
      typed,
      errors: wrong.errors ?? {},
      refusal: refusal && renderRefusal(words, refusal, { base, propertyId: property.id }),
      isOver: kept.row.expires_at <= instantOf(core.clock.now()),
    });
    return this.#answers.send(reply, status, page, look);
  }

  /** Books by a quote, and leads to the page of the booking. A form that is sent twice leads to the same page. */
  async #book(opened: Opened): Promise<FastifyReply> {
    const { open, words, request, reply } = opened;
    const { core } = this.#work;
    const { quote: id } = request.params as { quote: string };
    const kept = await keptQuote(this.#work, open, id);
    if (!kept) return this.#answers.nothing(request, reply);
    const typed = guestFields(sentIn(request));
    const settings = await readSettings(core.store.db, open.account.account_id);
    const methods = methodsOf(settings, kept.quote.currency);
    const read = readGuest(words, typed, { methods, hasRules: open.page.rules !== '' });
    if ('errors' in read) return this.#showQuote(opened, 422, typed, { errors: read.errors });
    const held = await holdQuote(this.#work, open, kept, read.draft);
    if ('refused' in held) return this.#showQuote(opened, 409, typed, { refusal: held });
    const address = `${BOOK_PATH}/of/${openBookingToken(core, held.booking)}?lang=${words.language}`;
    if (held.booking.method === 'stripe' && held.isNew && kept.quote.first_payment > 0) {
      // What fails here can be tried again on the page of the booking.
      await beginPayment(this.#work, held.booking, 'due');
    }
    return reply.redirect(address, 303);
  }
}
