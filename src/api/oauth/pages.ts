import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticated } from '../../core/accounts/authenticate.ts';
import { lookOf } from '../../core/brands/brand.ts';
import { endSession, sessionHolder } from '../../core/people/sessions.ts';
import { signInAtOnce } from '../../core/people/signIn.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { managesByApi } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import {
  allowed,
  type Authorization,
  denied,
  isForOthers,
  readAuthorization,
  RefusedAuthorization,
} from '../../oauth/authorize.ts';
import { isDocumentAddress } from '../../oauth/documents.ts';
import { OAuthFailure } from '../../oauth/failure.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { originOf } from '../http/plainHttp.ts';
import { isSameOrigin, sessionOf, setSession } from '../session.ts';
import { formOf } from './form.ts';
import type { OAuthOptions } from './options.ts';
import { consentPage, contentPolicy, refusalPage, signInPage } from './page.ts';
import { requestLog } from '../http/requestLog.ts';

/** Milliseconds for a person to answer. */
const ANSWER_MS = 10 * 60_000;
const LOGIN_LONGEST = 100;
const PASSWORD_LONGEST = 200;
const CODE_LONGEST = 40;
/** The sealing context of a consent form. */
const CONTEXT = 'oauth consent';

/** The contents of a consent form: the request, the person it was shown to, and the time. */
interface Shown {
  query: string;
  session: string;
  at: number;
}

/** Serves the pages for people: sign-in, consent, and refusal. */
export function servePages(app: FastifyInstance, options: OAuthOptions): void {
  const pages = new Pages(options);
  const answering =
    (page: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        return await page(request, reply);
      } catch (error) {
        return showProblem(reply, error, requestLog(options.log, request));
      }
    };
  app.get(
    '/oauth/authorize',
    answering((request, reply) => pages.authorize(request, reply)),
  );
  app.post(
    '/oauth/sign-in',
    answering((request, reply) => pages.signIn(request, reply)),
  );
  app.post(
    '/oauth/consent',
    answering((request, reply) => pages.consent(request, reply)),
  );
}

class Pages {
  readonly #options: OAuthOptions;
  readonly #origin: ReturnType<typeof originOf>;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#origin = originOf(options.trustedProxies);
  }

  async authorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { core } = this.#options;
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const person = await this.#personOf(request);
    if (!person) {
      // Faults are reported before the sign-in; documents on other servers are not fetched for strangers.
      if (!isDocumentAddress(query.get('client_id') ?? '')) await this.#sayWhatIsWrong(query);
      return show(reply, 200, signInPage({ query: query.toString() }));
    }
    const asked = await this.#askedOf(query, person.who);
    const { account, operator } = person.who;
    const shown: Shown = { query: query.toString(), session: person.session, at: core.clock.now() };
    const sealed = core.sealer.seal(JSON.stringify(shown), CONTEXT);
    const look = await lookOf(core.store.db, account);
    const page = consentPage({ asked, account: account.name, operator, sealed, look });
    return show(reply, 200, page, { redirectUri: asked.redirectUri, look });
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { core } = this.#options;
    const form = ownForm(request);
    const [login, password] = [form.get('login') ?? '', form.get('password') ?? ''];
    const query = new URLSearchParams(form.get('query') ?? '').toString();
    if (login.length > LOGIN_LONGEST || password.length > PASSWORD_LONGEST) {
      return show(reply, 401, signInPage({ query, problem: 'Login or password is wrong.' }));
    }
    try {
      const code = form.get('code')?.slice(0, CODE_LONGEST);
      const secret = await signInAtOnce(core, { login, password, code, ...this.#origin(request) });
      const earlier = sessionOf(request);
      if (earlier !== undefined) await endSession(core, earlier);
      setSession(request, reply, secret);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return show(reply, error.code, signInPage({ query, problem: error.message }));
    }
    return reply.header('referrer-policy', 'no-referrer').redirect(`/oauth/authorize?${query}`, 303);
  }

  async consent(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { oauth } = this.#options;
    const form = ownForm(request);
    const person = await this.#personOf(request);
    if (!person) throw refusal('You are no longer signed in.');
    const query = this.#readShown(form.get('request') ?? '', person.session);
    const asked = await this.#askedOf(query, person.who);
    const target = form.get('answer') === 'allow' ? await allowed(oauth, asked, person.who) : denied(oauth, asked);
    return redirect(reply, target);
  }

  /** Returns the person who is signed in in this browser. @throws RefusedAuthorization for a role without an API */
  async #personOf(request: FastifyRequest): Promise<{ who: Authenticated; session: string } | undefined> {
    const secret = sessionOf(request);
    const who = secret === undefined ? undefined : await sessionHolder(this.#options.core, secret);
    // An application could do more for such a person than the pages let them do themselves.
    if (who && !managesByApi(who.role)) throw refusal('Your role opens the pages of the console alone.');
    return who && secret !== undefined ? { who, session: sha256Hex(secret) } : undefined;
  }

  /**
   * Reports a fault on a page of ours. Faults for the application's own address wait until a person has signed in:
   * otherwise a link to this service would redirect anyone to any address that an application has registered.
   */
  async #sayWhatIsWrong(query: URLSearchParams): Promise<void> {
    try {
      await readAuthorization(this.#options.oauth, query, { mayFetch: false });
    } catch (error) {
      if (!(error instanceof RefusedAuthorization) || error.answer === undefined) throw error;
    }
  }

  async #askedOf(query: URLSearchParams, who: Authenticated): Promise<Authorization> {
    try {
      const asked = await readAuthorization(this.#options.oauth, query, { mayFetch: true });
      if (isForOthers(asked, who)) throw refusalOfOthers();
      return asked;
    } catch (error) {
      const client = error instanceof RefusedAuthorization ? error.client : undefined;
      throw client && isForOthers({ client }, who) ? refusalOfOthers() : error;
    }
  }

  #readShown(sealed: string, session: string): URLSearchParams {
    const { core } = this.#options;
    let shown: Shown | undefined;
    try {
      shown = JSON.parse(core.sealer.open(sealed, CONTEXT)) as Shown;
    } catch {
      throw refusal('This form is not one of ours.');
    }
    if (shown.session !== session) throw refusal('This form was shown to somebody else.');
    if (shown.at + ANSWER_MS < core.clock.now()) throw refusal('This form has waited too long.');
    return new URLSearchParams(shown.query);
  }
}

/** Requires that a page of ours sent the form: another site can make a browser send it, but cannot fake its origin. */
function ownForm(request: FastifyRequest): URLSearchParams {
  if (!isSameOrigin(request)) throw refusal('This comes from a page of another site.');
  return formOf(request);
}

function showProblem(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  if (error instanceof RefusedAuthorization) {
    return error.answer === undefined ? show(reply, 400, refusalPage(error.message)) : redirect(reply, error.answer);
  }
  if (error instanceof OAuthFailure) return show(reply, 400, refusalPage(error.message));
  // The account of the signed-in person may not be used now.
  if (error instanceof ApiError && error.code === 420) return show(reply, 403, refusalPage(error.message));
  log.error({ err: error }, 'a page of OAuth could not be shown');
  return show(reply, 500, refusalPage('Something went wrong here.'));
}

function refusalOfOthers(): RefusedAuthorization {
  return refusal('This application is registered for another account.');
}

function refusal(message: string): RefusedAuthorization {
  return new RefusedAuthorization(new OAuthFailure('invalid_request', message));
}

interface Showing {
  /** Where the form's answer may lead. */
  readonly redirectUri?: string;
  readonly look?: Look | undefined;
}

function show(reply: FastifyReply, status: number, page: string, showing: Showing = {}): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders(contentPolicy(showing.redirectUri, showing.look)))
    .send(page);
}

/** Redirects to the application without a referrer. */
function redirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 303);
}
