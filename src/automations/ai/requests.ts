import { instantOf } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { next, type TriggerOf } from '../../kernel/transitions.ts';
import { questionLife } from './states.ts';
import type { ModelTokens } from '../../outbound/askModel.ts';
import type { Automating } from '../context.ts';
import type { AiBudget } from './settings.ts';

const DAY_MS = 24 * 60 * 60_000;

type Context = Pick<Automating, 'store' | 'connection' | 'clock'>;

/**
 * Records that a model is about to be asked.
 * @returns the reason against it: the budget is spent, or this question was asked before without a known outcome
 */
export async function beginAsking(
  { store, connection, clock }: Context,
  { request_id, rule, model, budget }: { request_id: string; rule: string; model: string; budget: AiBudget },
): Promise<'budget' | 'asked before' | undefined> {
  return store.transaction(async (trx) => {
    const known = await trx
      .selectFrom('ai_requests')
      .select('request_id')
      .where('connection', '=', connection)
      .where('request_id', '=', request_id)
      .executeTakeFirst();
    if (known) return 'asked before';
    const { requests, tokens } = await trx
      .selectFrom('ai_requests')
      .select((eb) => [
        eb.fn.countAll<number>().as('requests'),
        eb.fn.sum<number | null>(eb.fn.coalesce('prompt_tokens', eb.lit(0))).as('asked'),
        eb.fn.sum<number | null>(eb.fn.coalesce('answer_tokens', eb.lit(0))).as('answered'),
      ])
      .where('connection', '=', connection)
      .where('started_at', '>', instantOf(clock.now() - DAY_MS))
      .executeTakeFirstOrThrow()
      .then(({ requests, asked, answered }) => ({
        requests: Number(requests),
        tokens: Number(asked ?? 0) + Number(answered ?? 0),
      }));
    if (requests >= budget.requestsPerDay || tokens >= (budget.tokensPerDay ?? Number.POSITIVE_INFINITY))
      return 'budget';
    const row = {
      connection,
      request_id,
      rule,
      model,
      started_at: instantOf(clock.now()),
      ended_at: null,
      outcome: next(questionLife, null, 'ask'),
      problem: null,
      prompt_tokens: null,
      answer_tokens: null,
    };
    await insertMany(trx, 'ai_requests', [row]);
    return undefined;
  });
}

/** Records the outcome of a question. */
export async function endAsking(
  { store, connection, clock }: Context,
  request_id: string,
  end: {
    trigger: Exclude<TriggerOf<typeof questionLife>, 'ask'>;
    problem: string | null;
    tokens: ModelTokens | undefined;
  },
): Promise<void> {
  const { trigger, problem, tokens } = end;
  await store.db
    .updateTable('ai_requests')
    .set({
      outcome: next(questionLife, 'asking', trigger),
      problem,
      ended_at: instantOf(clock.now()),
      prompt_tokens: tokens?.prompt ?? null,
      answer_tokens: tokens?.answer ?? null,
    })
    .where('connection', '=', connection)
    .where('request_id', '=', request_id)
    .execute();
}
