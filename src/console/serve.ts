import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../kernel/errors.ts';
import { Html, html } from '../kernel/markup/html.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { readFeedHead } from '../sync/read/mirror.ts';
import { may } from './access.ts';
import { Answers, codeOf, refusalOf } from './answer.ts';
import { serveAssets } from './assets.ts';
import { serveColors } from './brand/style.ts';
import { addressFields, formFields, Multipart } from './fields.ts';
import { type Framed, framed } from './frame/document.ts';
import { countUnanswered } from './inbox/query.ts';
import { countNeeds } from './health/problems.ts';
import { streamSignals } from './live.ts';
import { addressOf, type ConsoleAction, type ConsolePage, type LateContent } from './page.ts';
import { HOME, PAGES } from './pages.ts';
import { readProperties } from './properties.ts';
import { sayNext, takeSaid } from './said.ts';
import { requireOurs, serveSignIn } from './signIn/serve.ts';
import type { ConsoleServices, FormValue, Person, Refused, Visit } from './visit.ts';
import type { Visitors } from './visitors.ts';
import { openVisit } from './visits.ts';
import { serveWork } from './work/serve.ts';

export interface ConsoleOptions {
  readonly services: ConsoleServices;
  readonly visitors: Visitors;
  /** The folder of the built style sheet and scripts. */
  readonly assets: string;
  readonly random: Random;
  /** Returns the log for what happens while a request is handled. */
  logOf(request: FastifyRequest): Logger;
}

const FORM_BYTES = 262_144;
const FILE_BYTES = 64 * 1_048_576;
/** Milliseconds for the mirror to show what a person has done, before the page is shown again; later it renews itself. */
const FOLLOW_MS = 1_000;

/** Serves the console: pages for people who are signed in. */
export function serveConsole(app: FastifyInstance, options: ConsoleOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const plain = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser<string>(plain, { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, formFields(body)),
    );
    const files = { parseAs: 'buffer', bodyLimit: FILE_BYTES } as const;
    scope.addContentTypeParser<Buffer>('multipart/form-data', files, (request, body, done) =>
      done(null, new Multipart(body, request.headers['content-type'] ?? '')),
    );
    new Console(scope, options).serve();
  });
}

class Console {
  readonly #app: FastifyInstance;
  readonly #options: ConsoleOptions;
  readonly #answers: Answers;
  readonly #closing = new AbortController();

  constructor(app: FastifyInstance, options: ConsoleOptions) {
    const { random, visitors, assets } = options;
    const logOf = (request: FastifyRequest) => options.logOf(request);
    this.#app = app;
    this.#options = options;
    this.#answers = new Answers({ random, logOf, headers: visitors.headers, assets: serveAssets(app, assets) });
    app.addHook('preClose', async () => this.#closing.abort());
  }

  serve(): void {
    const app = this.#app;
    for (const address of ['/console', '/console/']) {
      app.get(
        address,
        this.#answers.guarding((request, reply) => this.#home(request, reply)),
      );
    }
    for (const page of PAGES) this.#servePage(page);
    app.get(
      addressOf('live'),
      this.#answers.guarding((request, reply) => this.#listen(request, reply)),
    );
    serveSignIn(app, this.#options.visitors, this.#answers);
    serveColors(app);
    serveWork(app, {
      work: this.#options.services.work,
      answers: this.#answers,
      addressOf: this.#options.visitors.addressOf,
    });
  }

  /** Leads to Today; to Setup while the owner has no property yet. */
  async #home(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services, visitors } = this.#options;
    const person = await visitors.personOf(request);
    const [connection] = person && may(person, 'setup') ? await services.connectionsOf(person.accountId) : [];
    const properties = connection === undefined ? undefined : await readProperties(services.db, { connection });
    return reply.redirect(addressOf(properties?.length === 0 ? 'setup' : HOME), 303);
  }

  #servePage(page: ConsolePage): void {
    const app = this.#app;
    const { guarding } = this.#answers;
    const answering: Answers['guarding'] = guarding.bind(this.#answers);
    app.get(
      addressOf(page.path),
      answering((request, reply) =>
        this.#asPerson(request, reply, (person) => this.#show(page, person, request, reply)),
      ),
    );
    for (const format of Object.keys(page.downloads ?? {})) {
      app.get(
        addressOf(`${page.path}/${format}`),
        answering((request, reply) =>
          this.#asPerson(request, reply, (person) => this.#download(page, format, person, request, reply)),
        ),
      );
    }
    for (const action of page.actions ?? []) {
      app.post(
        addressOf(`${page.path}/${action.name}`),
        answering((request, reply) =>
          this.#asPerson(request, reply, (person) => this.#act(page, action, person, request, reply)),
        ),
      );
    }
  }

  /** Asks who it is; a stranger is led to the sign-in, and from there back to what they wanted to see. */
  async #asPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (person: Person) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const person = await this.#options.visitors.personOf(request);
    if (person) return work(person);
    const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
    return reply.redirect(`/console/sign-in${next}`, 303);
  }

  async #show(
    page: ConsolePage,
    person: Person,
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: Refused & { code: number },
  ): Promise<FastifyReply> {
    const { services } = this.#options;
    const visit = await this.#open(page, person, request, reply, { refused });
    if (!('person' in visit)) return visit;
    const question = this.#questionOf(page, visit);
    // Read before the content, so that a change in between is told, not lost.
    const head = await readFeedHead(services.db, visit.connection);
    const plans = await services.planNews(visit.connection, '', 0, this.#closing.signal);
    const content = await rendered(page, visit, question);
    // A page that renews its content does not show the sentence, and leaves it to the page that is on its way.
    const said = refused || request.headers['hx-request'] ? undefined : takeSaid(request, reply);
    // A form that was refused stays with what was typed into it, whatever happens elsewhere.
    const address = refused ? undefined : addressOf(page.path, { ...visit.at, ...addressFields(request) });
    const shown = { page, said, head, plans, address };
    return this.#frame(visit, reply, { content, code: refused?.code ?? 200, ...shown });
  }

  async #frame(
    visit: Visit,
    reply: FastifyReply,
    {
      content,
      code,
      ...shown
    }: Pick<Framed, 'page' | 'said' | 'head' | 'plans' | 'address'> & { content: Html | LateContent; code: number },
  ): Promise<FastifyReply> {
    const { services } = this.#options;
    const needs = visit.may('health')
      ? countNeeds(await services.status(visit.connection), await services.alarms(visit.person))
      : 0;
    const waiting = { inbox: visit.may('inbox') ? await countUnanswered(visit) : 0 };
    const nonce = this.#answers.nonce();
    const pages = PAGES.filter((one) => visit.may(one.right) && (visit.isHere || one.needsCore !== true));
    const parts = { title: shown.page.title(visit.texts), texts: visit.texts, nonce };
    const frame = { pages, needs, waiting, nonce, ...shown };
    const body = (of: Html) => framed(visit, frame, of);
    return content instanceof Html
      ? this.#answers.sendPage(reply, code, parts, body(content))
      : this.#answers.sendEarly(reply, code, parts, { content, body });
  }

  async #download(
    page: ConsolePage,
    format: string,
    person: Person,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const visit = await this.#open(page, person, request, reply, {});
    if (!('person' in visit)) return visit;
    const { visitors } = this.#options;
    const make = page.downloads?.[format];
    if (!make) throw new ApiError(404, 'There is no such file.');
    const { type, name, body, policy } = await make(visit, this.#questionOf(page, visit));
    if (policy !== undefined) return reply.headers(visitors.headers(policy)).send(body);
    return reply
      .header('content-type', type)
      .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
      .send(body);
  }

  async #act(
    page: ConsolePage,
    action: ConsoleAction,
    person: Person,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    requireOurs(this.#options.visitors, request);
    const { once, ...fields } = await bodyOf(request);
    const number = typeof once === 'string' ? once : undefined;
    const visit = await this.#open(page, person, request, reply, { right: action.right, once: number });
    if (!('person' in visit)) return visit;
    const { db } = this.#options.services;
    try {
      const parsed = action.fields.safeParse(withoutEmpty(fields));
      if (!parsed.success) throw wrongField(parsed.error);
      const head = await readFeedHead(db, visit.connection);
      const { said, to, shows } = await action.run(visit, parsed.data);
      // A page with a secret does not ask for itself again.
      if (shows) {
        const shown = { page, said, head, plans: '', address: undefined };
        return await this.#frame(visit, reply, { content: shows, code: 200, ...shown });
      }
      if (!action.isQuiet) await this.#followed(visit, head);
      sayNext(reply, said);
      return await reply.redirect(to ?? visit.address(page.path, visit.at), 303);
    } catch (error) {
      const problem = refusalOf(error);
      const field = error instanceof ApiError ? error.field : undefined;
      const typed = Object.entries(fields).filter((entry): entry is [string, FormValue] => isText(entry[1]));
      const refused = { action: action.name, problem, field, fields: Object.fromEntries(typed), code: codeOf(error) };
      return this.#show(page, person, request, reply, refused);
    }
  }

  /** Waits a moment until the mirror has seen a change, so that the page shows it. */
  async #followed({ connection }: Visit, head: number): Promise<void> {
    const { changesAfter } = this.#options.services;
    await changesAfter(connection, head, FOLLOW_MS, this.#closing.signal);
  }

  /** @returns the visit; or the answer, if there is none */
  async #open(
    page: ConsolePage,
    person: Person,
    request: FastifyRequest,
    reply: FastifyReply,
    {
      right = page.right,
      once,
      refused,
    }: { right?: ConsolePage['right']; once?: string | undefined; refused?: Refused | undefined },
  ): Promise<Visit | FastifyReply> {
    const answers = this.#answers;
    if (!may(person, right)) {
      const first = PAGES.find((one) => may(person, one.right));
      if (page.path === HOME && request.method === 'GET' && first) return reply.redirect(addressOf(first.path), 303);
      return answers.problem(reply, 403, request, (words) => [words.denied, words.deniedHint]);
    }
    const { visitors } = this.#options;
    const opening = {
      person,
      once,
      refused,
      origin: visitors.originOf(request),
      changePassword: (given: { old: string; password: string }) => visitors.changePassword(request, reply, given),
      freshNumber: () => answers.nonce(),
    };
    const visit = await openVisit(this.#options.services, request, opening);
    if (visit === 'unknown') {
      return answers.problem(reply, 404, request, (words) => [words.notFound, words.notFoundHint]);
    }
    if (visit === 'empty') {
      // It fills by itself.
      void reply.header('refresh', '2');
      return answers.problem(reply, 503, request, (words) => [words.nothingMirrored, words.nothingMirroredHint]);
    }
    if (page.needsCore && !visit.isHere) throw new ApiError(404, 'There is no such page.');
    if (!visit.may(right)) throw new ApiError(403, visit.texts.frame.readOnly);
    return visit;
  }

  /** @throws ApiError 404 for fields that no address of the page has */
  #questionOf(page: ConsolePage, { at }: Visit): z.output<ConsolePage['question']> {
    const question = page.question.safeParse(at);
    if (!question.success) throw new ApiError(404, 'There is no such page.');
    return question.data;
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
    const { connection: name, after, plans = '' } = addressFields(request);
    const connection = (await services.connectionsOf(accountId)).find((one) => one === name);
    if (connection === undefined) return reply.code(404).send();
    const start = Number(request.headers['last-event-id'] ?? after);
    return streamSignals(reply, services, {
      connection,
      after: Number.isSafeInteger(start) && start > 0 ? start : 0,
      plans,
      closing: this.#closing.signal,
      mayLook: async () => void (await requirePerson()),
    });
  }
}

/** Renders a page. One with a refused form is sent whole, since the sentence about it stands above its content. */
async function rendered(
  page: ConsolePage,
  visit: Visit,
  question: z.output<ConsolePage['question']>,
): Promise<Html | LateContent> {
  const content = await page.render(visit, question);
  if (content instanceof Html || visit.refused === undefined) return content;
  return html`${content.first}${await content.rest()}`;
}

async function bodyOf({ body }: FastifyRequest): Promise<Record<string, unknown>> {
  if (!(body instanceof Multipart)) return (body ?? {}) as Record<string, unknown>;
  try {
    return await body.fields();
  } catch (error) {
    throw new ApiError(400, 'The form cannot be read.', { cause: error });
  }
}

function isText(value: unknown): value is FormValue {
  return typeof value === 'string' || Array.isArray(value);
}

/** Leaves out empty fields: a form sends one for everything that was not filled in. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function wrongField({ issues: [issue] }: z.ZodError): ApiError {
  const field = issue?.path.map(String).join('.') ?? '';
  const problem = issue?.code === 'invalid_type' && issue.input === undefined ? 'is required' : (issue?.message ?? '');
  return new ApiError(422, `${field}: ${problem}`, { field });
}
