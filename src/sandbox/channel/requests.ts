import { type Instant, instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change, Core } from '../../core/context.ts';
import type { CoreTransaction } from '../../core/database.ts';
import type { RequestAdapter, RequestToBook } from '../../core/channels/adapter.ts';
import type { SandboxRequestRow } from './rows.ts';
import { changeRequest, lockRequest } from './table.ts';

type Answer = NonNullable<SandboxRequestRow['answer']>;

/** Requests to book on sandbox marketplaces, which remember the answer. */
export function sandboxRequests(core: Pick<Core, 'store' | 'clock'>): RequestAdapter {
  return {
    approve: (request) => take(core, request, 'approve'),
    decline: (request) => take(core, request, 'decline'),
  };
}

/** Stores an answer. The first is final; the same one again is accepted, the other one is refused. */
async function take({ store, clock }: Pick<Core, 'store' | 'clock'>, request: RequestToBook, answer: Answer) {
  const problem = await store.transaction(async (trx) => {
    const known = await lockRequest(trx, request);
    if (known.next_outcome === 'failed') {
      await changeRequest(trx, request, { next_outcome: null });
      return new ApiError(502, 'The channel failed: it refused the answer.');
    }
    return answered(trx, known, answer, instantOf(clock.now()));
  });
  if (problem) throw problem;
}

/** Stores the answer. @returns the reason for a refusal */
async function answered(
  trx: CoreTransaction,
  request: SandboxRequestRow,
  answer: Answer,
  answered_at: Instant,
): Promise<ApiError | undefined> {
  if (request.answer === answer) return undefined;
  if (request.answer !== null) return new ApiError(400, 'The channel has taken another answer to this request.');
  await changeRequest(trx, request, { answer, answered_at });
  return undefined;
}

/** Answers for the host on the marketplace itself. @throws ApiError 400 after another answer */
export async function answerThere(
  change: Change,
  name: Omit<RequestToBook, 'account_id'>,
  answer: Answer,
): Promise<void> {
  const request = await lockRequest(change.trx, { account_id: change.account.account_id, ...name });
  const problem = await answered(change.trx, request, answer, instantOf(change.now));
  if (problem) throw problem;
}

/** Makes the next answer to a request to book fail. */
export async function steerNextAnswer(change: Change, name: Omit<RequestToBook, 'account_id'>): Promise<void> {
  const request = { account_id: change.account.account_id, ...name };
  await lockRequest(change.trx, request);
  await changeRequest(change.trx, request, { next_outcome: 'failed' });
}
