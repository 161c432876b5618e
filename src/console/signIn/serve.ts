import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import type { Html } from '../../kernel/markup/html.ts';
import { type Answers, codeOf, refusalOf } from '../answer.ts';
import { addressFields } from '../fields.ts';
import { addressOf } from '../page.ts';
import { HOME } from '../pages.ts';
import type { Texts } from '../texts/choose.ts';
import type { Visitors } from '../visitors.ts';
import { secondStepView, signInView, welcomeView } from './view.ts';

const field = (longest: number) => z.string().max(longest).default('');
const credentials = z.object({ login: field(100), password: field(200), next: field(2_000) });
const secondAnswer = z.object({ code: field(40), passkey: field(20_000), next: field(2_000) });
const invitation = z.object({ secret: field(100), login: field(100), password: field(200) });

/** Serves the pages by which people come in and go. */
export function serveSignIn(app: FastifyInstance, visitors: Visitors, answers: Answers): void {
  /** Shows the form again with what is wrong. */
  const again = (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    view: (texts: Texts, problem: string) => readonly [string, Html],
  ) => {
    const problem = refusalOf(error);
    return answers.send(reply, codeOf(error), request, (texts) => view(texts, problem));
  };
  app.get(
    '/console/sign-in',
    answers.guarding(async (request, reply) => {
      const next = ownAddress(addressFields(request)['next']);
      return answers.send(reply, 200, request, (texts) => [texts.signIn.title, signInView(texts, next)]);
    }),
  );
  app.post(
    '/console/sign-in',
    answers.guarding(async (request, reply) => {
      const { next, ...given } = formOf(visitors, credentials, request);
      try {
        const reached = await visitors.signIn(request, reply, given);
        if (reached === 'step') {
          return await reply.redirect(`/console/second-step?next=${encodeURIComponent(ownAddress(next))}`, 303);
        }
      } catch (error) {
        return again(request, reply, error, (texts, problem) => [
          texts.signIn.title,
          signInView(texts, ownAddress(next), { login: given.login, problem }),
        ]);
      }
      return reply.redirect(ownAddress(next), 303);
    }),
  );
  serveSecondStep(app, visitors, answers);
  app.get(
    '/console/welcome',
    answers.guarding(async (request, reply) =>
      answers.send(reply, 200, request, (texts) => [texts.signIn.welcome, welcomeView(texts)]),
    ),
  );
  app.post(
    '/console/welcome',
    answers.guarding(async (request, reply) => {
      const given = formOf(visitors, invitation, request);
      try {
        await visitors.accept(request, reply, given);
      } catch (error) {
        return again(request, reply, error, (texts, problem) => [
          texts.signIn.welcome,
          welcomeView(texts, { login: given.login, problem }),
        ]);
      }
      return reply.redirect('/console/', 303);
    }),
  );
  app.post(
    '/console/sign-out',
    answers.guarding(async (request, reply) => {
      requireOurs(visitors, request);
      await visitors.signOut(request, reply);
      return reply.redirect('/console/sign-in', 303);
    }),
  );
}

function serveSecondStep(app: FastifyInstance, visitors: Visitors, answers: Answers): void {
  const show = async (request: FastifyRequest, reply: FastifyReply, next: string, problem?: string, code = 200) => {
    const choices = await visitors.choices(request);
    return answers.send(reply, code, request, (texts) => [
      texts.signIn.second,
      secondStepView(texts, { next, ...choices, problem }),
    ]);
  };
  app.get(
    '/console/second-step',
    answers.guarding((request, reply) => show(request, reply, ownAddress(addressFields(request)['next']))),
  );
  app.post(
    '/console/second-step',
    answers.guarding(async (request, reply) => {
      const { next, code, passkey } = formOf(visitors, secondAnswer, request);
      const given = passkey === '' ? { code } : { passkey };
      try {
        await visitors.secondStep(request, reply, given);
      } catch (error) {
        return show(request, reply, ownAddress(next), refusalOf(error), codeOf(error));
      }
      return reply.redirect(ownAddress(next), 303);
    }),
  );
}

/** @throws ApiError 403 for a form of another site's page */
export function requireOurs(visitors: Visitors, request: FastifyRequest): void {
  if (!visitors.isOurs(request)) throw new ApiError(403, 'This comes from a page of another site.');
}

function formOf<Schema extends z.ZodObject>(
  visitors: Visitors,
  schema: Schema,
  request: FastifyRequest,
): z.output<Schema> {
  requireOurs(visitors, request);
  const parsed = schema.safeParse(request.body ?? {});
  if (!parsed.success) throw new ApiError(422, 'A field is too long.');
  return parsed.data;
}

/** Returns an address of the console to go on to; another site's would lead a person astray. */
function ownAddress(next: unknown): string {
  const isOwn = typeof next === 'string' && /^\/console\/[\w-]+(?:\?[^\s\\]*)?$/.test(next);
  return isOwn ? next : addressOf(HOME);
}
