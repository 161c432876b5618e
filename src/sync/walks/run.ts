import { CallError } from '../../client/callError.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { asksAs, type WalkContext, type WalkProgress, type WalkPurpose, type WalkResult } from './purpose.ts';
import { settleUnseen } from './unseen.ts';
import type { Asking, Visitor, Walk } from './walk.ts';

const SAVE_EVERY_MS = 2_000;

/**
 * Reads a whole resource, with one row in `walks` that says how far it is. Rows that are known and were not
 * seen are looked up one by one before any of them counts as gone.
 */
export async function runWalk(
  context: WalkContext,
  walk: Walk,
  purpose: WalkPurpose,
  visitor: Visitor,
  onProgress: (progress: WalkProgress) => void = () => {},
): Promise<WalkResult> {
  const { clock, connection, store, log } = context;
  const result: WalkResult = {
    walkId: context.ids(),
    resource: walk.resource,
    state: 'running',
    firstNumber: await context.numbers.take(),
    requests: 0,
    rows: 0,
    total: 0,
    problem: null,
  };
  await begin(context, result, purpose);
  let savedAt = clock.monotonic();
  try {
    const asking = askingOf(context, purpose, () => (result.requests += 1));
    const steps = walk.steps(asking);
    for (;;) {
      const step = await steps.next();
      if (step.done) {
        result.total = step.value.total;
        break;
      }
      await step.value.visit(visitor);
      result.rows += step.value.rows;
      onProgress(result);
      if (clock.monotonic() - savedAt > SAVE_EVERY_MS) {
        savedAt = clock.monotonic();
        await save(context, result);
      }
    }
    result.state = 'done';
    if (purpose !== 'verify') result.problem = await settleUnseen(context, walk, result, asking, visitor, purpose);
    if (result.problem !== null) result.state = 'suspect';
  } catch (error) {
    if (isAbsent(walk, error)) return absent(result, error);
    result.state = 'failed';
    result.problem = messageOf(error);
    throw error;
  } finally {
    await save(context, result, instantOf(clock.now()));
  }
  const { requests, rows, state, problem } = result;
  log.info(
    { connection, store: store.kind, resource: walk.resource, purpose, requests, rows, state, problem },
    'walk ended',
  );
  return result;
}

/** What a walk asks with. */
export function askingOf(context: WalkContext, purpose: WalkPurpose, onSend: () => void): Asking {
  const { client, numbers, clock, historyFrom, signal, connection, store } = context;
  const reading = { connection, zone: context.zone() };
  return {
    client,
    purpose: asksAs(purpose),
    reading,
    numbers,
    db: store.db,
    clock,
    historyFrom,
    signal,
    onSend,
  };
}

/** Whether an error says that upstream does not have what the walk reads. */
function isAbsent(walk: Walk, error: unknown): error is CallError {
  return walk.mayBeAbsent === true && error instanceof CallError && (error.code === 404 || error.code === 501);
}

/** A list that is not there is read in no time; what is known of it from before stays as it is. */
function absent(result: WalkResult, error: CallError): WalkResult {
  return Object.assign(result, { state: 'done', absent: true, problem: `upstream does not have it: ${error.message}` });
}

async function begin(context: WalkContext, result: WalkResult, purpose: WalkPurpose): Promise<void> {
  await context.store.db
    .insertInto('walks')
    .values({
      connection: context.connection,
      walk_id: result.walkId,
      resource: result.resource,
      purpose,
      state: result.state,
      started_at: instantOf(context.clock.now()),
      finished_at: null,
      first_number: result.firstNumber,
      requests: 0,
      rows: 0,
      cursor: null,
      claimed_until: null,
      problem: null,
    })
    .execute();
}

async function save(context: WalkContext, result: WalkResult, finishedAt: string | null = null): Promise<void> {
  const { state, requests, rows, problem } = result;
  await context.store.db
    .updateTable('walks')
    .set({ state, requests, rows, problem, finished_at: finishedAt })
    .where('connection', '=', context.connection)
    .where('walk_id', '=', result.walkId)
    .execute();
}

/** Whether a walk ended because only a person can help. */
export function needsHost(error: unknown): error is CallError {
  return error instanceof CallError && error.client === 'host';
}
