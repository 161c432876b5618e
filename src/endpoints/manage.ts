import { instantOf, readInstant } from '../kernel/dates.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import { mayGo, next } from '../kernel/transitions.ts';
import { endpointLife, type EndpointState, messageLife } from './states.ts';
import { targetRefusal } from '../outbound/target.ts';
import type { TargetPolicy } from '../outbound/policy.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import { type EndpointMessagesTable, type EndpointsTable, endpointUrlContext } from './tables.ts';
import type { Change } from '../sync/feed/feed.ts';
import { secretContext, type EndpointsContext } from './context.ts';
import { messagesOf } from './fanOut.ts';
import { isKind, PING } from './kinds.ts';
import {
  allEndpoints,
  changeEndpoint,
  endpointById,
  lockEndpoint,
  messageCounts,
  messageLog,
  putMessages,
  removeEndpoint,
  sendAgain,
} from './table.ts';

const SECRET_BYTES = 32;
/** Milliseconds after a rotation for which the previous secret still signs. */
const ROTATION_MS = 24 * 60 * 60_000;
const MOST_ENDPOINTS = 100;
const BATCH = 200;

/** The settings of an endpoint that its owner chooses. */
interface EndpointDraft {
  url: string;
  kinds: readonly string[];
  property_ids?: readonly number[] | null | undefined;
  persons?: boolean | undefined;
  description?: string | null | undefined;
}

type EndpointChange = { [Name in keyof EndpointDraft]?: EndpointDraft[Name] | undefined } & {
  state?: EndpointState | undefined;
};

/** The part of {@link EndpointsContext} without the sender. */
type ManageContext = Pick<EndpointsContext, 'store' | 'connection' | 'feed' | 'clock' | 'ids' | 'random' | 'sealer'> & {
  policy: TargetPolicy;
  onChange(): void;
};

/** The operations for owners of endpoints. Errors are {@link ApiError}s that name the field. */
export class EndpointService {
  readonly #options: ManageContext;

  constructor(options: ManageContext) {
    this.#options = options;
  }

  async list(): Promise<object[]> {
    const { store, connection } = this.#options;
    const counts = await messageCounts(store.db, connection);
    return (await allEndpoints(store.db, connection)).map((endpoint) => view(this.#opened(endpoint), counts));
  }

  /**
   * Adds an endpoint.
   * @returns the endpoint with its secret, which is shown only this once
   */
  async add(draft: EndpointDraft): Promise<object> {
    const { policy, ids, feed, store, connection, onChange } = this.#options;
    checkDraft(draft, policy);
    const id = `ep_${ids()}`;
    const { secret, sealed } = this.#newSecret(id);
    const at = this.#now();
    // Starts here. Earlier changes are history, which a replay can send.
    const cursor = await feed.head();
    await store.transaction(async (trx) => {
      const others = await allEndpoints(trx, connection);
      if (others.length >= MOST_ENDPOINTS)
        throw new ApiError(422, `url: there are ${MOST_ENDPOINTS} endpoints already`);
      await trx
        .insertInto('endpoints')
        .values({
          connection,
          endpoint_id: id,
          url: this.#sealedUrl(id, draft.url),
          description: draft.description ?? null,
          kinds: JSON.stringify(draft.kinds),
          property_ids: draft.property_ids ? JSON.stringify(draft.property_ids) : null,
          persons: draft.persons ? 1 : 0,
          secret: sealed,
          previous_secret: null,
          previous_until: null,
          state: next(endpointLife, null, 'add'),
          reason: null,
          state_at: at,
          cursor,
          failing_since: null,
          succeeded_at: null,
          created_at: at,
        })
        .execute();
    });
    onChange();
    return { ...(await this.#shown(await this.#known(id))), secret };
  }

  async change(endpointId: string, change: EndpointChange): Promise<object> {
    const { policy, feed } = this.#options;
    const before = this.#opened(await this.#known(endpointId));
    checkDraft(
      { url: change.url ?? before.url, kinds: change.kinds ?? (JSON.parse(before.kinds) as string[]) },
      policy,
    );
    // A replay can send the changes that the disabled endpoint missed.
    const cursor = await feed.head();
    await this.#changed(endpointId, async (trx, { state }) => {
      const { url, kinds, property_ids, persons, description } = change;
      await changeEndpoint(trx, before, {
        ...(url !== undefined && { url: this.#sealedUrl(endpointId, url) }),
        ...(kinds !== undefined && { kinds: JSON.stringify(kinds) }),
        ...(property_ids !== undefined && { property_ids: property_ids && JSON.stringify(property_ids) }),
        ...(persons !== undefined && { persons: persons ? 1 : 0 }),
        ...(description !== undefined && { description }),
        ...(change.state === 'disabled' && mayGo(endpointLife, state, 'disable') && off(this.#now())),
        ...(change.state === 'active' && mayGo(endpointLife, state, 'enable') && { ...on(this.#now()), cursor }),
      });
    });
    return this.#shown(await this.#known(endpointId));
  }

  remove(endpointId: string): Promise<void> {
    const { connection } = this.#options;
    return this.#changed(endpointId, (trx) => removeEndpoint(trx, connection, endpointId));
  }

  async rotate(endpointId: string): Promise<object> {
    const { clock } = this.#options;
    const { secret, sealed } = this.#newSecret(endpointId);
    const previous_until = instantOf(clock.now() + ROTATION_MS);
    await this.#changed(endpointId, (trx, before) =>
      changeEndpoint(trx, before, { secret: sealed, previous_secret: before.secret, previous_until }),
    );
    return { endpoint_id: endpointId, secret, previous_until };
  }

  /** Sends a message of the kind `ping`. */
  async ping(endpointId: string): Promise<object> {
    const { ids, feed } = this.#options;
    const message = pingOf(await this.#known(endpointId), ids(), { at: this.#now(), seq: await feed.head() });
    await this.#changed(endpointId, (trx) => putMessages(trx, [message], { again: false, at: this.#now() }));
    return { message_id: message.message_id };
  }

  async log(endpointId: string, { state, limit }: { state?: string | undefined; limit: number }): Promise<object[]> {
    const { store, connection } = this.#options;
    await this.#known(endpointId);
    return messageLog(store.db, { connection, endpointId, state: state as EndpointMessagesTable['state'], limit });
  }

  /** Sends one message again, or everything since a moment or a place in the feed. */
  async replay(
    endpointId: string,
    { message_id: messageId, since }: { message_id?: string | undefined; since?: string | undefined },
  ): Promise<object> {
    const { store, connection, onChange } = this.#options;
    const endpoint = await this.#known(endpointId);
    if ((messageId === undefined) === (since === undefined)) {
      throw invalid('since', 'or message_id is required, and not both');
    }
    if (messageId !== undefined) {
      const found = await sendAgain(store.db, { connection, endpointId, messageId, at: this.#now() });
      if (!found) throw new ApiError(404, `message_id: there is no message ${messageId}`, { field: 'message_id' });
      onChange();
      return { messages: 1 };
    }
    const messages = await replaySince(this.#options, endpoint, await placeOf(this.#options, since ?? ''));
    onChange();
    return { messages };
  }

  #now() {
    const { clock } = this.#options;
    return instantOf(clock.now());
  }

  async #known(endpointId: string): Promise<EndpointsTable> {
    const { store, connection } = this.#options;
    const endpoint = await endpointById(store.db, connection, endpointId);
    if (!endpoint) throw new ApiError(404, `endpoint_id: there is no endpoint ${endpointId}`, { field: 'endpoint_id' });
    return endpoint;
  }

  #newSecret(endpointId: string): { secret: string; sealed: string } {
    const { random, sealer, connection } = this.#options;
    const secret = `whsec_${random.bytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: sealer.seal(secret, secretContext(connection, endpointId)) };
  }

  #sealedUrl(endpointId: string, url: string) {
    const { sealer, connection } = this.#options;
    return sealer.seal(url, endpointUrlContext(connection, endpointId));
  }

  #opened(endpoint: EndpointsTable): EndpointsTable {
    const { sealer, connection } = this.#options;
    return { ...endpoint, url: sealer.open(endpoint.url, endpointUrlContext(connection, endpoint.endpoint_id)) };
  }

  async #shown(endpoint: EndpointsTable): Promise<object> {
    const { store, connection } = this.#options;
    const counts = await messageCounts(store.db, connection);
    return view(this.#opened(endpoint), counts);
  }

  async #changed(endpointId: string, work: (trx: MirrorTrx, before: EndpointsTable) => Promise<void>) {
    const { store, connection, onChange } = this.#options;
    await this.#known(endpointId);
    await store.transaction(async (trx) => {
      const before = await lockEndpoint(trx, connection, endpointId);
      if (before) await work(trx, before);
    });
    onChange();
  }
}

/** Makes the messages of all changes after a place in the feed, and sends existing ones again. */
async function replaySince({ store, feed, clock }: ManageContext, endpoint: EndpointsTable, after: number) {
  const at = instantOf(clock.now());
  let made = 0;
  for (let from: number | undefined = after; from !== undefined;) {
    const changes: Change[] = (await feed.read(from, BATCH)).filter(({ seq }) => seq <= endpoint.cursor);
    const rows = changes.flatMap((change) => messagesOf(endpoint, change, at));
    await store.transaction((trx) => putMessages(trx, rows, { again: true, at }));
    made += rows.length;
    from = changes.length === BATCH ? changes.at(-1)?.seq : undefined;
  }
  return made;
}

/** Returns the place in the feed after which a replay begins, from a number or from a moment. */
async function placeOf({ store, connection }: ManageContext, since: string): Promise<number> {
  if (/^\d{1,15}$/.test(since)) return Number(since);
  const at = readInstant(since, 'UTC');
  if (at === undefined) throw invalid('since', 'must be a moment such as 2026-11-20T12:00:00Z, or a seq of the feed');
  const row = await store.db
    .selectFrom('changes')
    .select((of) => of.fn.min('seq').as('seq'))
    .where('connection', '=', connection)
    .where('at', '>=', at)
    .executeTakeFirst();
  return row?.seq == null ? Number.MAX_SAFE_INTEGER : Number(row.seq) - 1;
}

function pingOf(endpoint: EndpointsTable, id: string, { at, seq }: { at: string; seq: number }): EndpointMessagesTable {
  return {
    connection: endpoint.connection,
    message_id: `msg_${id}`,
    endpoint_id: endpoint.endpoint_id,
    seq,
    kind: PING,
    resource: PING,
    key: id,
    state: next(messageLife, null, 'make'),
    attempts: 0,
    next_at: at,
    claimed_until: null,
    outcome: null,
    http_status: null,
    created_at: at,
    ended_at: null,
  };
}

function on(at: string) {
  return { state: next(endpointLife, 'disabled', 'enable'), reason: null, failing_since: null, state_at: at };
}

function off(at: string) {
  return { state: next(endpointLife, 'active', 'disable'), reason: 'by hand', state_at: at };
}

function checkDraft({ url, kinds }: Pick<EndpointDraft, 'url' | 'kinds'>, policy: TargetPolicy): void {
  const refusal = targetRefusal(url, policy);
  if (refusal !== undefined) throw invalid('url', refusal);
  if (kinds.length === 0) throw invalid('kinds', 'must name at least one kind, or *');
  const unknown = kinds.find((kind) => !isKind(kind));
  if (unknown !== undefined) {
    throw invalid(
      'kinds',
      `holds "${unknown}", which is none; there are *, reservation.created, reservation.*, guest_message, deposit_paid and others: see docs/endpoints.md`,
    );
  }
}

type Counts = Awaited<ReturnType<typeof messageCounts>>;

/** Returns an endpoint as its owner sees it, without its secrets. */
function view(endpoint: EndpointsTable, counts: Counts) {
  const {
    connection: _,
    secret: _secret,
    previous_secret: _previous,
    kinds,
    property_ids,
    persons,
    ...rest
  } = endpoint;
  const own = counts.filter((count) => count.endpoint_id === endpoint.endpoint_id);
  const of = (state: EndpointMessagesTable['state']) =>
    Number(own.find((count) => count.state === state)?.messages ?? 0);
  return {
    ...rest,
    kinds: JSON.parse(kinds) as unknown,
    property_ids: property_ids === null ? null : (JSON.parse(property_ids) as unknown),
    persons: persons === 1,
    messages: { waiting: of('waiting'), delivered: of('delivered'), skipped: of('skipped'), dead: of('dead') },
  };
}
