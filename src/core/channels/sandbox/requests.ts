import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Change, Core } from '../../context.ts';
import type { CoreTransaction } from '../../database.ts';
import type { ChannelReplies, ChannelReply, RequestToBook } from '../reply.ts';
import type { SandboxRequestRow } from './rows.ts';
import { changeRequest, lockRequest } from './table.ts';

type Answer = NonNullable<SandboxRequestRow['answer']>;

/** Returns the replies of sandbox marketplaces of these kinds to requests to book. */
export function sandboxReplies(core: Pick<Core, 'store' | 'clock'>, channelTypes: readonly string[]): ChannelReplies {
  const reply: ChannelReply = {
    approve: (request) => take(core, request, 'approve'),
    decline: (request) => take(core, request, 'decline'),
  };
  return new Map(channelTypes.map((channelType) => [channelType, reply]));
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
