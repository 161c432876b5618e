import { type Operation, takesIdempotencyKey } from '../../contract/operation.ts';
import {
  type Data,
  type GuardedId,
  type Input,
  isOpen,
  type OpenId,
  type OperationId,
  operations,
} from '../../contract/index.ts';
import { texts } from '../../contract/errors.ts';
import { addSecondSpellings } from '../../contract/spell.ts';
import { authenticate, type Authenticated } from '../../core/accounts/authenticate.ts';
import { noteRefusal } from '../../core/audit/refusals.ts';
import { runChange } from '../../core/change.ts';
import type { Change, Context, Core, Handler, Handlers } from '../../core/context.ts';
import { onceOnly, type OnceRequest, requireKey } from '../../core/idempotency/onceOnly.ts';
import type { RequestCounters } from '../../core/limits/counters.ts';
import { ApiError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { parseInput, type WireRequest } from './parse.ts';

/** The handlers of the operations without a token. */
type OpenHandlers = { readonly [Id in OpenId]: (input: Input<Id>) => Promise<Data<Id>> };

/** The dependencies of operations. */
export interface Service {
  readonly core: Core;
  readonly handlers: Handlers;
  readonly open: OpenHandlers;
  readonly counters: RequestCounters;
}

/** The bucket for all requests of an account that reach no operation, mostly those to unknown paths. */
const UNKNOWN_BUCKET = 'unknown';

/**
 * Runs one operation from request to `data`, for any caller and any listener: authenticate, scope, limits, parse,
 * handle. The caller of this function handles its ApiError.
 */
export async function perform(
  service: Service,
  id: OperationId,
  token: string | undefined,
  request: WireRequest,
): Promise<unknown> {
  if (isOpen(id)) return handleOpen(service.open, id, request);
  const { core } = service;
  return performAs(service, id, await authenticate(core.store.db, token, core.clock.now()), request);
}

/** Checks a last condition before an operation runs; throws if it is not met. */
type Consent = () => Promise<void>;

/** Runs one operation for an authenticated caller. */
export async function performAs(
  service: Service,
  id: GuardedId,
  who: Authenticated,
  request: WireRequest,
  consent?: Consent,
): Promise<unknown> {
  const operation: Operation = operations[id];
  if (operation.scope !== 'read' && who.scope !== 'write') {
    await noteRefusal(service.core, who, id);
    throw new ApiError(401, texts.readOnlyToken);
  }
  const release = await service.counters.enter(who, bucketOf(operation), operation.rate);
  return handle(service, id, who, request, consent).then(
    (data) => {
      release(false);
      return data;
    },
    (error: unknown) => {
      release(isFailedRequest(error));
      throw error;
    },
  );
}

/** Passes the fields alone, because they are all that identifies the caller. */
function handleOpen<Id extends OpenId>(open: OpenHandlers, id: Id, request: WireRequest): Promise<unknown> {
  // As below, the contract ties id, input and handler together.
  const handler = open[id] as (input: object) => Promise<unknown>;
  return handler(parseInput(id, request));
}

async function handle(
  service: Service,
  id: GuardedId,
  who: Authenticated,
  request: WireRequest,
  consent?: Consent,
): Promise<unknown> {
  const input = parseInput(id, request);
  await consent?.();
  // The contract ties id, input and handler together; the compiler cannot follow it through a lookup.
  const handler = service.handlers[id] as Handler<GuardedId> as (input: object, context: Context) => Promise<unknown>;
  const { core } = service;
  const answer = async (context: Context) => {
    const data = await handler(input, context);
    respell.get(id)?.(data);
    return data;
  };
  const { idempotencyKey, onRepeat } = request;
  if (idempotencyKey === undefined || !takesIdempotencyKey(operations[id])) return answer(contextOf(core, who));
  const asked: OnceRequest = {
    account_id: who.account.account_id,
    caller: who.token === null ? `application ${who.clientId} of ${who.operator.id}` : `token ${who.token.id}`,
    key: requireKey(idempotencyKey),
    requestHash: sha256Hex(JSON.stringify([id, input])),
  };
  const { data, isRepeat } = await onceOnly(core, asked, ({ committing }) =>
    answer(contextOf(core, who, (change) => committing(change.trx))),
  );
  if (isRepeat) onRepeat?.();
  return data;
}

/**
 * Runs a read for an authenticated caller whom the service itself informs. It counts against no limit, since the caller
 * did not request it.
 */
export async function look<Id extends GuardedId>(
  service: Service,
  id: Id,
  who: Authenticated,
  input: Partial<Input<Id>>,
): Promise<Data<Id>> {
  const operation: Operation = operations[id];
  if (operation.scope !== 'read') throw new Error(`${id} does more than read`);
  const within = (part: Operation['params']) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => name in part.shape));
  const parsed = parseInput(id, {
    params: within(operation.params),
    query: within(operation.query),
    body: undefined,
    contentType: undefined,
  });
  // As above, the contract ties id, input and handler together.
  const handler = service.handlers[id] as Handler<GuardedId> as (input: object, context: Context) => Promise<Data<Id>>;
  return handler(parsed, contextOf(service.core, who));
}

/** Authenticates and counts a request that reaches no operation, so that it reveals nothing to strangers. */
export async function refuse(service: Service, token: string | undefined, failure: ApiError): Promise<never> {
  const { core, counters } = service;
  const who = await authenticate(core.store.db, token, core.clock.now());
  const release = await counters.enter(who, UNKNOWN_BUCKET, 'default');
  release(isFailedRequest(failure));
  throw failure;
}

/** Returns true for failures that every repetition meets again; the quota of failed requests counts these. */
function isFailedRequest(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 404);
}

const respell = new Map(
  Object.entries(operations).map(([id, operation]) => [id as OperationId, addSecondSpellings(operation.data)]),
);

function bucketOf(operation: Operation): string {
  return `${operation.method} ${operation.path}`;
}

/** @param onChange runs last in the transaction of each change */
function contextOf(
  core: Core,
  who: Authenticated,
  onChange: (change: Change) => Promise<void> = async () => {},
): Context {
  const { account, operator, visible, clientId, token } = who;
  return {
    core,
    account,
    operator,
    visible,
    ...(clientId !== undefined && { clientId }),
    ...(token !== null && { tokenId: token.id, ...(token.unlimited && { isDaemon: true as const }) }),
    now: core.clock.now(),
    db: core.store.db,
    change: (work) =>
      runChange(core, who, async (change) => {
        const value = await work(change);
        await onChange(change);
        return value;
      }),
  };
}
