import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dateIn, isTimeZone } from '../kernel/dates.ts';
import { ApiError, messageOf } from '../kernel/errors.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { readAccountSettings, readFeedHead } from '../sync/read/mirror.ts';
import { may } from './access.ts';
import { serveAssets } from './assets.ts';
import { calendarPage } from './calendar/page.ts';
import { contentPolicy, documentOf, framed } from './frame/document.ts';
import { formatFor } from './frame/format.ts';
import { healthPage } from './health/page.ts';
import { countNeeds } from './health/problems.ts';
import { streamSignals } from './live.ts';
import { addressOf, type ConsolePage } from './page.ts';
import { signInView, welcomeView } from './signIn/view.ts';
import { type Language, languageFor, type Texts } from './texts/choose.ts';
import { todayPage } from './today/page.ts';
import type { ConsoleServices, Person, Visit } from './visit.ts';

/** The one port's way to know people, and to show pages; the listener has both. */
export interface Visitors {
  /** @throws ApiError 420 for an account that may not use the service now */
  personOf(request: FastifyRequest): Promise<Person | undefined>;
  /** Signs a person in on this browser. @throws ApiError for wrong credentials */
  signIn(request: FastifyRequest, reply: FastifyReply, given: { login: string; password: string }): Promise<void>;
  /** Lets a person choose login and password by a one-time secret. @throws ApiError */
  accept(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { secret: string; login: string; password: string },
  ): Promise<void>;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Returns true if a page of ours sent this request. */
  isOurs(request: FastifyRequest): boolean;
  /** Returns the headers of a page with this content policy. */
  headers(policy: string): Record<string, string>;
}

export interface ConsoleOptions {
  readonly services: ConsoleServices;
  readonly visitors: Visitors;
  /** The folder of the built style sheet and scripts. */
  readonly assets: string;
  readonly random: Random;
  readonly log: Logger;
}

const PAGES: readonly ConsolePage[] = [todayPage, calendarPage, healthPage];
const HOME = 'today';
const NONCE_BYTES = 16;
const FORM_BYTES = 16_384;
const field = (longest: number) => z.string().max(longest).default('');
const credentials = z.object({ login: field(100), password: field(200), next: field(2_000) });
const invitation = z.object({ secret: field(100), login: field(100), password: field(200) });

/** Serves the console: pages for people who are signed in. */
export function serveConsole(app: FastifyInstance, options: ConsoleOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const type = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser<string>(type, { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    new Console(scope, options).serve();
  });
}

class Console {
  readonly #app: FastifyInstance;
  readonly #options: ConsoleOptions;
  readonly #assets: ReturnType<typeof serveAssets>;
  readonly #closing = new AbortController();

  constructor(app: FastifyInstance, options: ConsoleOptions) {
    this.#app = app;
    this.#options = options;
    this.#assets = serveAssets(app, options.assets);
    app.addHook('preClose', async () => this.#closing.abort());
  }

  serve(): void {
    const app = this.#app;
    const home = addressOf(HOME);
    for (const address of ['/console', '/console/']) app.get(address, (_request, reply) => reply.redirect(home, 303));
    for (const page of PAGES) {
      app.get(
        addressOf(page.path),
        this.#answering((request, reply) => this.#show(page, request, reply)),
      );
    }
    app.get(
      addressOf('live'),
      this.#answering((request, reply) => this.#listen(request, reply)),
    );
    this.#serveSignIn();
  }

  #serveSignIn(): void {
    const app = this.#app;
    const { visitors } = this.#options;
    app.get(
      '/console/sign-in',
      this.#answering((request, reply) => {
        const next = ownAddress((request.query as { next?: unknown }).next);
        return this.#send(reply, 200, request, (texts) => [texts.signIn.title, signInView(texts, next)]);
      }),
    );
    app.post(
      '/console/sign-in',
      this.#answering(async (request, reply) => {
        const { next, ...given } = this.#formOf(credentials, request);
        try {
          await visitors.signIn(request, reply, given);
        } catch (error) {
          const problem = refusalOf(error);
          const again = { login: given.login, problem };
          return this.#send(reply, codeOf(error), request, (texts) => [
            texts.signIn.title,
            signInView(texts, ownAddress(next), again),
          ]);
        }
        return reply.redirect(ownAddress(next), 303);
      }),
    );
    app.get(
      '/console/welcome',
      this.#answering((request, reply) =>
        this.#send(reply, 200, request, (texts) => [texts.signIn.welcome, welcomeView(texts)]),
      ),
    );
    app.post(
      '/console/welcome',
      this.#answering(async (request, reply) => {
        const given = this.#formOf(invitation, request);
        try {
          await visitors.accept(request, reply, given);
        } catch (error) {
          const again = { login: given.login, problem: refusalOf(error) };
          return this.#send(reply, codeOf(error), request, (texts) => [
            texts.signIn.welcome,
            welcomeView(texts, again),
          ]);
        }
        return reply.redirect(addressOf(HOME), 303);
      }),
    );
    app.post(
      '/console/sign-out',
      this.#answering(async (request, reply) => {
        if (!visitors.isOurs(request)) throw new ApiError(403, 'This comes from a page of another site.');
        await visitors.signOut(request, reply);
        return reply.redirect('/console/sign-in', 303);
      }),
    );
  }

  async #show(page: ConsolePage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services, visitors } = this.#options;
    const person = await visitors.personOf(request);
    if (!person) return reply.redirect(`/console/sign-in?next=${encodeURIComponent(request.url)}`, 303);
    const { texts, locale } = languageOf(request);
    if (!may(person.role, page.right)) {
      return this.#problem(reply, 403, request, (words) => [words.denied, words.deniedHint]);
    }
    const connections = await services.connectionsOf(person.accountId);
    const { connection, ...fields } = fieldsOf(request);
    const chosen = connections.find((one) => one === connection) ?? connections[0];
    const settings = chosen === undefined ? undefined : await readAccountSettings(services.db, chosen);
    if (chosen === undefined || (connection !== undefined && chosen !== connection) || !settings) {
      const isUnknown = connections.length > 0 && connection !== undefined && chosen !== connection;
      return isUnknown
        ? this.#problem(reply, 404, request, (words) => [words.notFound, words.notFoundHint])
        : this.#problem(reply, 503, request, (words) => [words.nothingMirrored, words.nothingMirroredHint]);
    }
    const question = page.question.safeParse(fields);
    if (!question.success) return this.#problem(reply, 404, request, (words) => [words.notFound, words.notFoundHint]);
    const zone = isTimeZone(settings.time_zone ?? '') ? String(settings.time_zone) : 'UTC';
    const today = dateIn(zone, services.now());
    const format = formatFor(locale, zone, today);
    const visit: Visit = { person, services, connection: chosen, connections, today, texts, locale, format };
    // Read before the content, so that a change in between is told, not lost.
    const head = await readFeedHead(services.db, chosen);
    const needs = countNeeds(await services.status(chosen), await services.alarms());
    const content = await page.render(visit, question.data);
    const nonce = this.#nonce();
    const frame = { right: page.right, address: request.url, head, needs, nonce };
    return this.#sendPage(reply, 200, { title: page.title(texts), texts, nonce }, framed(visit, frame, content));
  }

  /** Tells a page about changes, as long as its reader may look. */
  async #listen(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services } = this.#options;
    const requirePerson = async (): Promise<Person> => {
      const person = await this.#options.visitors.personOf(request);
      if (!person) throw new ApiError(401, 'Nobody is signed in.');
      return person;
    };
    const { accountId } = await requirePerson();
    const { connection: name, after } = fieldsOf(request);
    const connection = (await services.connectionsOf(accountId)).find((one) => one === name);
    if (connection === undefined) return reply.code(404).send();
    const start = Number(request.headers['last-event-id'] ?? after);
    return streamSignals(reply, services, {
      connection,
      after: Number.isSafeInteger(start) && start > 0 ? start : 0,
      closing: this.#closing.signal,
      mayLook: async () => void (await requirePerson()),
    });
  }

  #formOf<Schema extends z.ZodObject>(schema: Schema, request: FastifyRequest): z.output<Schema> {
    if (!this.#options.visitors.isOurs(request)) throw new ApiError(403, 'This comes from a page of another site.');
    const parsed = schema.safeParse(request.body ?? {});
    if (!parsed.success) throw new ApiError(422, 'A field is too long.');
    return parsed.data;
  }

  #answering(answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        return await answer(request, reply);
      } catch (error) {
        const code = codeOf(error);
        if (code < 500) {
          return this.#problem(reply, code, request, (words) => [words.denied, refusalOf(error)]);
        }
        this.#options.log.error({ err: error }, 'a page of the console could not be made');
        return this.#problem(reply, code, request, (words) => [words.failed, words.failedHint]);
      }
    };
  }

  #problem(
    reply: FastifyReply,
    code: number,
    request: FastifyRequest,
    say: (words: Texts['problem']) => readonly [title: string, hint: string],
  ): Promise<FastifyReply> {
    return this.#send(reply, code, request, ({ problem }) => {
      const [title, hint] = say(problem);
      return [
        title,
        html`<main id="content" class="narrow">
          <h1>${title}</h1>
          <p>${hint}</p>
          <p><a href="${addressOf(HOME)}">${problem.home}</a></p>
        </main>`,
      ];
    });
  }

  /** Sends a page that has no frame around it. */
  async #send(
    reply: FastifyReply,
    code: number,
    request: FastifyRequest,
    make: (texts: Texts) => readonly [title: string, body: Html],
  ): Promise<FastifyReply> {
    const { texts } = languageOf(request);
    const [title, body] = make(texts);
    return this.#sendPage(reply, code, { title, texts, nonce: this.#nonce() }, body);
  }

  #sendPage(
    reply: FastifyReply,
    code: number,
    page: { title: string; texts: Texts; nonce: string },
    body: Html,
  ): FastifyReply {
    const text = documentOf({ ...page, assets: this.#assets }, body);
    return reply
      .code(code)
      .headers(this.#options.visitors.headers(contentPolicy(page.nonce)))
      .send(text);
  }

  #nonce(): string {
    return this.#options.random.bytes(NONCE_BYTES).toString('base64url');
  }
}

function languageOf(request: FastifyRequest): Language {
  return languageFor(request.headers['accept-language']);
}

/** Returns the fields of an address; empty ones, which forms send for what was not chosen, count as absent. */
function fieldsOf(request: FastifyRequest): Record<string, string | undefined> {
  const fields = Object.entries(request.query as Record<string, string | string[]>);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const text = [value].flat().at(-1) ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** Returns an address of the console to go on to; another site's would lead a person astray. */
function ownAddress(next: unknown): string {
  const isOwn = typeof next === 'string' && /^\/console\/[\w-]+(?:\?[^\s\\]*)?$/.test(next);
  return isOwn ? next : addressOf(HOME);
}

function codeOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 420 ? 403 : error.code;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Returns the words of a refusal. @throws the error itself if it is none */
function refusalOf(error: unknown): string {
  if (codeOf(error) >= 500) throw error;
  return messageOf(error);
}
