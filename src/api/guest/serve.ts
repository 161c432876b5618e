import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookOf } from '../../core/brands/brand.ts';
import type { Core } from '../../core/context.ts';
import { GUEST_PAGE_PATH } from '../../core/guestPages/link.ts';
import { LONGEST_MESSAGE, writeAsGuest } from '../../core/guestPages/message.ts';
import { guestPageBehind, type OpenPage } from '../../core/guestPages/open.ts';
import { registerGuest, removeRegistration } from '../../core/guestPages/registration/register.ts';
import { shownToGuest } from '../../core/guestPages/shown.ts';
import { ApiError } from '../../kernel/errors.ts';
import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { clientAddressOf } from '../http/plainHttp.ts';
import { isSameOrigin } from '../session.ts';
import { languageOf } from './language.ts';
import { renderGuestPage, renderPlain, type ShownPage } from './page.ts';
import { guestPolicy } from './style.ts';
import type { GuestTexts } from './texts/en.ts';
import { requestLog } from '../http/requestLog.ts';

interface GuestOptions {
  readonly core: Core;
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
}

/** From one address, of one page. */
const VISITS_A_MINUTE = 120;
/** Forms of one page, wherever they come from. */
const FORMS_A_MINUTE = 20;
const FORM_BYTES = 65_536;
const NUMBER_BYTES = 16;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Serves `/stay/<token>`: the page of a reservation for its guests, and what they send from it. It needs no script.
 *
 * As with shared calendars, invented tokens are not counted: nobody guesses 192 bits.
 */
export function serveGuestPages(app: FastifyInstance, options: GuestOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    scope.setErrorHandler((error, request, reply) => new GuestPages(options).fail(request, reply, error));
    new GuestPages(options).serve(scope);
  });
}

/** A page that is looked at. */
interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly texts: GuestTexts;
  readonly token: string;
  readonly page: OpenPage;
}

class GuestPages {
  readonly #options: GuestOptions;
  readonly #visits: LinkVisits;
  readonly #forms: LinkVisits;
  readonly #addressOf: (request: FastifyRequest) => string;

  constructor(options: GuestOptions) {
    const now = () => options.core.clock.now();
    this.#options = options;
    this.#visits = new LinkVisits(now, VISITS_A_MINUTE);
    this.#forms = new LinkVisits(now, FORMS_A_MINUTE);
    this.#addressOf = clientAddressOf(options.trustedProxies);
  }

  serve(app: FastifyInstance): void {
    const address = `${GUEST_PAGE_PATH}/:token`;
    app.get(address, (request, reply) => this.#open(request, reply, (visit) => this.#show(visit, 200)));
    app.post(`${address}/message`, (request, reply) => this.#act(request, reply, (visit) => this.#write(visit)));
    app.post(`${address}/guest`, (request, reply) => this.#act(request, reply, (visit) => this.#register(visit)));
    app.post(`${address}/remove`, (request, reply) => this.#act(request, reply, (visit) => this.#remove(visit)));
  }

  /** Looks up the page, then does the work; a token of no page is answered alike, whatever became of it. */
  async #open(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visit: Visit) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const texts = textsFor(request);
    const { token } = request.params as { token: string };
    try {
      const page = await guestPageBehind(this.#options.core, token);
      if (!page) return send(reply, 404, renderPlain(texts, texts.invalid, texts.invalidHint));
      const key = `${page.account.account_id} ${page.code}`;
      const isForm = request.method === 'POST';
      const isWithin = isForm ? this.#forms.mayVisit(key) : this.#visits.mayVisit(`${key} ${this.#addressOf(request)}`);
      if (isWithin) return await work({ request, reply, texts, token, page });
      return send(
        reply.header('retry-after', this.#visits.retryAfter),
        429,
        renderPlain(texts, texts.busy, texts.busyHint),
      );
    } catch (error) {
      return this.fail(request, reply, error);
    }
  }

  /** Does what a form asks for, if a page of ours sent it. */
  async #act(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visit: Visit) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const texts = textsFor(request);
    const { origin, 'sec-fetch-site': site } = request.headers;
    if ((origin !== undefined || site !== undefined) && !isSameOrigin(request)) {
      return send(reply, 403, renderPlain(texts, texts.refused, texts.foreign));
    }
    return this.#open(request, reply, work);
  }

  async #show(visit: Visit, code: number, more: Partial<ShownPage> = {}): Promise<FastifyReply> {
    const { reply, texts, token, page, request } = visit;
    const { core } = this.#options;
    const { said } = request.query as Record<string, unknown>;
    const look = await lookOf(core.store.db, page.account);
    const shown: ShownPage = {
      texts,
      token,
      reservation: await shownToGuest(core, page),
      look,
      freshNumber: () => core.random.bytes(NUMBER_BYTES).toString('base64url'),
      said: code === 200 && typeof said === 'string' ? said : undefined,
      ...more,
    };
    return send(reply, code, renderGuestPage(shown), look);
  }

  async #write(visit: Visit): Promise<FastifyReply> {
    const { text, once } = fieldsOf(visit.request);
    const { texts } = visit;
    try {
      await writeAsGuest(this.#options.core, visit.page, { text, once });
      return done(visit, 'sent');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      const says = text.trim() === '' ? texts.emptyMessage : texts.longMessage(LONGEST_MESSAGE);
      const refused = error.code === 422 && text.length <= FORM_BYTES;
      return this.#show(visit, error.code, refused ? { refusedMessage: { says, text } } : {});
    }
  }

  async #register(visit: Visit): Promise<FastifyReply> {
    const { texts } = visit;
    const fields = fieldsOf(visit.request);
    const { stay, once } = fields;
    try {
      const filled = { stayCode: stay, once, fields };
      const problems = await registerGuest(this.#options.core, visit.page, filled);
      if (Object.keys(problems).length === 0) return done(visit, 'registered');
      return await this.#show(visit, 422, { refusedGuest: { stay, problems, says: texts.wrong, fields } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      const refusedGuest = { stay, problems: {}, says: error.code === 409 ? texts.full : texts.wrong, fields };
      return this.#show(visit, error.code, { refusedGuest });
    }
  }

  async #remove(visit: Visit): Promise<FastifyReply> {
    const { guest } = fieldsOf(visit.request);
    try {
      await removeRegistration(this.#options.core, visit.page, guest);
      return done(visit, 'removed');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      return this.#show(visit, error.code);
    }
  }

  /** Says that something went wrong. The log has no address: it is a secret. */
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const texts = textsFor(request);
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 400 && status < 500) return send(reply, status, renderPlain(texts, texts.refused, texts.tooLarge));
    requestLog(this.#options.log, request).error({ err: error }, 'a page of guests could not be shown');
    return send(reply, 500, renderPlain(texts, texts.failed, texts.failedHint));
  }
}

function textsFor({ query, headers }: FastifyRequest): GuestTexts {
  return languageOf((query as Record<string, unknown>)['lang'], headers['accept-language']);
}

/** Returns the fields of a form; those that are missing are empty. */
function fieldsOf({
  body,
}: FastifyRequest): Record<string, string> & Record<'text' | 'once' | 'stay' | 'guest', string> {
  const given = { ...Object(body ?? {}) } as Record<string, string>;
  return { text: '', once: '', stay: '', guest: '', ...given };
}

/** Shows the page again, by an address that a browser may load once more without sending anything. */
function done({ reply, token, texts }: Visit, said: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(`${GUEST_PAGE_PATH}/${token}?lang=${texts.language}&said=${said}`, 303);
}

function send(reply: FastifyReply, status: number, page: string, look?: Look): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders(guestPolicy("'self'", look)))
    .send(page);
}
