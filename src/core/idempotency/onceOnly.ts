import { IDEMPOTENCY_KEY } from '../../contract/operation.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError, invalid, OperatorError } from '../../kernel/errors.ts';
import { next } from '../../kernel/transitions.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction } from '../database.ts';
import { requestLife } from './states.ts';
import { changeKey, dropKey, findKey, forgetKeys, type IdempotencyName, takeKey } from './table.ts';

/** Milliseconds for which a repeated request gets the answer of the first one. */
const KEPT_MS = 24 * 3_600_000;
/**
 * Milliseconds after which a request that has committed nothing counts as dead with its process. No request takes that
 * long.
 */
const GIVEN_UP_MS = 120_000;
const FIELD = 'Idempotency-Key';

/** A request that is to be executed once. */
export interface OnceRequest extends IdempotencyName {
  /** Hash of the complete request. The key is valid for no other. */
  readonly requestHash: string;
}

/** The report of a request during its execution. */
interface Progress {
  /**
   * Must be called within the transaction that makes the change, so that the change and the record of it commit
   * together.
   */
  committing(trx: CoreTransaction): Promise<void>;
}

/** Validates a key from a header. @throws ApiError 422 */
export function requireKey(key: string): string {
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid(FIELD, 'must be 1 to 255 visible ASCII characters');
  return key;
}

/**
 * Executes a request once within a day, however often it is sent; see its states.
 *
 * @returns the answer, and whether it is that of an earlier request
 * @throws ApiError 409 while the first request is in progress, or when its answer was lost with its process; 422 when
 * the key was used for another request
 */
export async function onceOnly(
  core: Core,
  asked: OnceRequest,
  work: (progress: Progress) => Promise<unknown>,
): Promise<{ data: unknown; isRepeat: boolean }> {
  const { requestHash, ...name } = asked;
  const earlier = await take(core, asked);
  if (earlier) return { data: earlier.data, isRepeat: true };
  let data: unknown;
  try {
    data = await work({ committing: (trx) => changeKey(trx, name, { state: next(requestLife, 'begun', 'commit') }) });
  } catch (error) {
    await dropKey(core.store.db, name);
    throw error;
  }
  const answer = core.sealer.seal(JSON.stringify({ data }), contextOf(name));
  await changeKey(core.store.db, name, { state: next(requestLife, 'committed', 'answer'), answer });
  return { data, isRepeat: false };
}

/** @returns the answer of the first request; undefined when this is the first */
async function take(core: Core, { requestHash, ...name }: OnceRequest): Promise<{ data: unknown } | undefined> {
  const now = core.clock.now();
  return core.store.transaction(async (trx) => {
    await forgetKeys(trx, name.account_id, instantOf(now - KEPT_MS));
    const row = {
      ...name,
      request_hash: requestHash,
      state: next(requestLife, null, 'take'),
      answer: null,
      created_at: instantOf(now),
    };
    if (await takeKey(trx, row)) return undefined;
    const known = await findKey(trx, name);
    if (!known) throw new ApiError(409, `${FIELD}: the first request with it has just ended; send it again.`);
    if (known.request_hash !== requestHash) throw invalid(FIELD, 'was used for another request');
    if (known.state === 'answered' && known.answer !== null) return answerOf(core, name, known.answer);
    if (known.state === 'begun' && msOf(known.created_at) <= now - GIVEN_UP_MS) {
      await dropKey(trx, name);
      await takeKey(trx, row);
      return undefined;
    }
    throw new ApiError(
      409,
      known.state === 'begun'
        ? `${FIELD}: the first request with it is still being carried out.`
        : `${FIELD}: the first request with it was carried out, but its answer is lost. Look at what is there.`,
    );
  });
}

function answerOf(core: Core, name: IdempotencyName, sealed: string): { data: unknown } {
  try {
    return JSON.parse(core.sealer.open(sealed, contextOf(name))) as { data: unknown };
  } catch (error) {
    // The answer was sealed with a key that has changed since.
    if (!(error instanceof OperatorError)) throw error;
    throw new ApiError(
      409,
      `${FIELD}: the first request with it was carried out, but its answer cannot be read any more.`,
    );
  }
}

function contextOf({ account_id, caller, key }: IdempotencyName): string {
  return JSON.stringify(['idempotency key', account_id, caller, key]);
}
