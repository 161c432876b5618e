import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import { type Answers, codeOf, languageOf, refusalOf } from '../answer.ts';
import { addressFields, Multipart } from '../fields.ts';
import type { FormFile } from '../formFile.ts';
import { Guesses } from './guesses.ts';
import type { WorkServices } from './services.ts';
import { busyView, endedView, workView } from './view.ts';

const VISITS_A_MINUTE = 120;
const LONGEST_TEXT = 400;
/** A photo, and the text. */
const DAMAGE_BYTES = 9 * 1_048_576;

const id = z.coerce.number().int().positive();
const marked = z.object({ id, status: z.enum(['pending', 'in_progress', 'completed']) });
const damaged = z.object({ id, text: z.string().trim().min(1).max(LONGEST_TEXT) });

interface WorkOptions {
  readonly work: WorkServices;
  readonly answers: Answers;
  /** Returns by what a caller is counted. */
  addressOf(request: FastifyRequest): string;
}

/**
 * Serves `/work/<token>`: the tasks of one person on a phone, for whoever has the link. It needs no script, and shows
 * nobody's name.
 */
export function serveWork(app: FastifyInstance, { work, addressOf, answers }: WorkOptions): void {
  const visits = new LinkVisits(() => work.now(), VISITS_A_MINUTE);
  const guesses = new Guesses(() => work.now());
  const busy = (request: FastifyRequest, reply: FastifyReply) =>
    answers.send(reply.header('retry-after', visits.retryAfter), 429, request, (texts) => busyView(texts));
  const opening =
    (then: (visit: OpenLink) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { token } = request.params as { token: string };
      const address = addressOf(request);
      if (!guesses.mayTry(address, token)) return busy(request, reply);
      const worker = await work.workerOf(token);
      if (!worker) {
        guesses.noteGuess(address, token);
        return answers.send(reply, 404, request, (texts) => endedView(texts));
      }
      guesses.noteOpened(token);
      if (!visits.mayVisit(worker.key)) return busy(request, reply);
      return then({ token, worker, request, reply });
    };
  const show = async ({ token, worker, request, reply }: OpenLink, code = 200, problem?: string) => {
    const { locale } = languageOf(request);
    const shown = await work.tasksOf(worker);
    const look = await work.lookOf(worker);
    const { said } = addressFields(request);
    const state = { locale, token, name: worker.name, look, problem, said: code === 200 ? said : undefined };
    return answers.send(reply, code, request, (texts) => workView({ texts, ...state, ...shown }), look);
  };
  const acting = (act: (visit: OpenLink, fields: Record<string, unknown>) => Promise<string>) =>
    answers.guarding(
      opening(async (visit) => {
        try {
          const said = await act(visit, await fieldsOf(visit.request));
          return await visit.reply.redirect(`/work/${visit.token}?said=${said}`, 303);
        } catch (error) {
          return show(visit, codeOf(error), refusalOf(error));
        }
      }),
    );
  app.get('/work/:token', answers.guarding(opening((visit) => show(visit))));
  app.post(
    '/work/:token/mark',
    acting(async ({ worker }, fields) => {
      await work.mark(worker, parsed(marked, fields));
      return 'marked';
    }),
  );
  app.post(
    '/work/:token/damage',
    { bodyLimit: DAMAGE_BYTES },
    acting(async ({ worker }, { photo, ...fields }) => {
      await work.reportDamage(worker, { ...parsed(damaged, fields), photo: isFile(photo) ? photo.bytes : undefined });
      return 'reported';
    }),
  );
}

interface OpenLink {
  readonly token: string;
  readonly worker: NonNullable<Awaited<ReturnType<WorkServices['workerOf']>>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function fieldsOf({ body }: FastifyRequest): Promise<Record<string, unknown>> {
  if (!(body instanceof Multipart)) return { ...Object(body ?? {}) };
  try {
    return await body.fields();
  } catch (error) {
    throw new ApiError(400, 'The form cannot be read.', { cause: error });
  }
}

function parsed<Schema extends z.ZodObject>(schema: Schema, fields: unknown): z.output<Schema> {
  const found = schema.safeParse(fields);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new ApiError(422, `${field}: ${issue?.message ?? ''}`, { field });
}

function isFile(value: unknown): value is FormFile {
  return typeof value === 'object' && value !== null && 'bytes' in value;
}
