import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, messageOf } from '../kernel/errors.ts';
import { Html, html } from '../kernel/markup/html.ts';
import type { Look } from '../kernel/markup/look.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { type Assets, contentPolicy, documentOf } from './frame/document.ts';
import { addressOf, type LateContent } from './page.ts';
import { HOME } from './pages.ts';
import { type Language, languageFor, type Texts } from './texts/choose.ts';

const NONCE_BYTES = 16;

interface AnswerOptions {
  readonly assets: Assets;
  readonly random: Random;
  /** Returns the log for what happens while a request is handled. */
  logOf(request: FastifyRequest): Logger;
  /** Returns the headers of a page with this content policy. */
  headers(policy: string): Record<string, string>;
}

type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends pages, and says in words what went wrong. */
export class Answers {
  readonly #options: AnswerOptions;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** Returns a handler that answers failures with a page. */
  guarding(work: Work): Work {
    return async (request, reply) => {
      try {
        return await work(request, reply);
      } catch (error) {
        const code = codeOf(error);
        if (code === 404) return this.problem(reply, 404, request, (words) => [words.notFound, words.notFoundHint]);
        if (code < 500) return this.problem(reply, code, request, (words) => [words.denied, refusalOf(error)]);
        this.#options.logOf(request).error({ err: error }, 'a page of the console could not be made');
        return this.problem(reply, code, request, (words) => [words.failed, words.failedHint]);
      }
    };
  }

  problem(
    reply: FastifyReply,
    code: number,
    request: FastifyRequest,
    say: (words: Texts['problem']) => readonly [title: string, hint: string],
  ): FastifyReply {
    return this.send(reply, code, request, ({ problem }) => {
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

  /** Sends a page that has no frame around it. @param look of the account that shows it to strangers */
  send(
    reply: FastifyReply,
    code: number,
    request: FastifyRequest,
    make: (texts: Texts) => readonly [title: string, body: Html],
    look?: Look,
  ): FastifyReply {
    const { texts } = languageOf(request);
    const [title, body] = make(texts);
    return this.sendPage(reply, code, { title, texts, nonce: this.nonce(), look }, body);
  }

  sendPage(
    reply: FastifyReply,
    code: number,
    page: { title: string; texts: Texts; nonce: string; look?: Look | undefined },
    body: Html,
  ): FastifyReply {
    const text = documentOf({ ...page, assets: this.#options.assets }, body);
    return reply
      .code(code)
      .headers(this.#options.headers(contentPolicy(page.nonce)))
      .send(text);
  }

  /** Sends a page whose content is not ready: at once what comes before it, and the rest as soon as it is made. */
  sendEarly(
    reply: FastifyReply,
    code: number,
    page: { title: string; texts: Texts; nonce: string },
    { content, body }: { content: LateContent; body: (content: Html) => Html },
  ): FastifyReply {
    // No text of a page has this mark: markup in it is escaped.
    const mark = new Html(`<!--${this.nonce()}-->`);
    const text = documentOf({ ...page, assets: this.#options.assets }, body(html`${content.first}${mark}`));
    const [before = '', after = ''] = text.split(mark.text);
    return reply
      .code(code)
      .headers(this.#options.headers(contentPolicy(page.nonce)))
      .send(
        Readable.from(this.#parts([before, after], content, page.texts, this.#options.logOf(reply.request)), {
          objectMode: false,
        }),
      );
  }

  async *#parts(
    [before, after]: readonly [string, string],
    content: LateContent,
    { problem }: Texts,
    log: Logger,
  ): AsyncGenerator<string> {
    yield before;
    yield (await this.#madeLate(content, problem, log)).text;
    yield after;
  }

  /** The status is sent already, so a failure is said in the place of the content. */
  async #madeLate(content: LateContent, { failed, failedHint }: Texts['problem'], log: Logger): Promise<Html> {
    try {
      return await content.rest();
    } catch (error) {
      log.error({ err: error }, 'a part of a page of the console could not be made');
      return html`<p class="bad" role="alert">${failed}. ${failedHint}</p>`;
    }
  }

  /** Returns a number that nobody can guess. */
  nonce(): string {
    return this.#options.random.bytes(NONCE_BYTES).toString('base64url');
  }
}

export function languageOf(request: FastifyRequest): Language {
  return languageFor(request.headers['accept-language']);
}

/** Returns the HTTP status of a failure. */
export function codeOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 420 ? 403 : error.code;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Returns the words of a refusal. @throws the error itself if it is none */
export function refusalOf(error: unknown): string {
  if (codeOf(error) >= 500 && !(error instanceof ApiError)) throw error;
  return messageOf(error);
}
