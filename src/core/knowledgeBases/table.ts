import { type ExpressionBuilder, sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { forUpdateSkipLocked } from '../../store/queries/forUpdateSkipLocked.ts';
import { type FullText, keysWith } from '../../store/queries/fullText.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction } from '../database.ts';
import type { KnowledgeBaseRow, KnowledgeChunkRow } from '../workTables.ts';

type EntryKey = Pick<KnowledgeBaseRow, 'account_id' | 'id'>;

/** An entry with the ids and channels of its scopes. */
export type ScopedEntry = KnowledgeBaseRow & { ids: number[]; channels: string[] };

/** Properties, with the groups and room types that contain them. */
export interface Places {
  properties: readonly number[];
  groups: readonly number[];
  roomTypes: readonly number[];
}

interface EntryQuestion extends Range {
  accountId: AccountId;
  /** Places that the caller may see; null: all. */
  visible: Places | null;
  places?: Places | undefined;
  channelTypes?: readonly string[] | undefined;
  /** Only entries with a part that holds all of these words. */
  search?: string | undefined;
}

const CHUNK_TEXT: FullText = { table: 'knowledge_chunks', column: 'text', key: 'id' };

type EntryBuilder = ExpressionBuilder<CoreDatabase & { entry: KnowledgeBaseRow }, 'entry'>;

/** Returns one page, newest first, and the number of all matches. */
export async function entryPage(
  db: CoreDb,
  question: EntryQuestion,
): Promise<{ rows: ScopedEntry[]; keys: number[]; total: number }> {
  const { visible, places, channelTypes, search } = question;
  const found = search === undefined ? undefined : keysWith(db, CHUNK_TEXT, search);
  if (search !== undefined && !found) return { rows: [], keys: [], total: 0 };
  let matching = db.selectFrom('knowledge_bases as entry').where('entry.account_id', '=', question.accountId);
  if (visible !== null) matching = matching.where((where) => holdsFor(where, visible));
  if (places !== undefined) matching = matching.where((where) => holdsFor(where, places));
  if (channelTypes !== undefined) matching = matching.where((where) => holdsOn(where, channelTypes));
  if (found) {
    matching = matching
      .where('entry.process_status', '=', 'done')
      .where('entry.id', 'in', (where) =>
        where
          .selectFrom(found.as('found'))
          .innerJoin('knowledge_chunks as chunk', 'chunk.id', 'found.key')
          .where('chunk.account_id', '=', question.accountId)
          .select('chunk.knowledge_base_id'),
      );
  }
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('entry.id', '<', question.before);
  const page = await left
    .select('entry.id')
    .orderBy('entry.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  const ids = page.map((row) => row.id);
  return { rows: ids.length === 0 ? [] : await entriesByIds(db, question.accountId, ids), keys: ids, total };
}

/**
 * Concatenated with an empty text, the column matches no index. SQLite would otherwise skip along the entries of all
 * accounts for a kind of scope.
 */
const SCOPE = sql<string>`entry.scope_property || ''`;

/** Matches entries that apply to one of these properties, including those that apply to all. */
function holdsFor(where: EntryBuilder, places: Places) {
  const named = (type: KnowledgeBaseRow['scope_property'], ids: readonly number[]) =>
    where.and([
      where(SCOPE, '=', type),
      where.exists(
        where
          .selectFrom('knowledge_scope_ids as scope')
          .whereRef('scope.account_id', '=', 'entry.account_id')
          .whereRef('scope.knowledge_base_id', '=', 'entry.id')
          .where((where) => inList(where.ref('scope.scope_id'), ids))
          .select('scope.scope_id'),
      ),
    ]);
  return where.or([
    where(SCOPE, '=', 'all'),
    named('by_property', places.properties),
    named('by_group', places.groups),
    named('by_room_type', places.roomTypes),
  ]);
}

/** Matches entries that apply to one of these channels, including those that apply to all. */
function holdsOn(where: EntryBuilder, channelTypes: readonly string[]) {
  return where.or([
    where('entry.scope_channel', '=', 'all'),
    where.exists(
      where
        .selectFrom('knowledge_scope_channels as scope')
        .whereRef('scope.account_id', '=', 'entry.account_id')
        .whereRef('scope.knowledge_base_id', '=', 'entry.id')
        .where((where) => inList(where.ref('scope.channel_type'), channelTypes))
        .select('scope.channel_type'),
    ),
  ]);
}

/** Returns these entries, newest first. */
export async function entriesByIds(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  ids: readonly number[],
): Promise<ScopedEntry[]> {
  const rows = await db
    .selectFrom('knowledge_bases')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .selectAll()
    .orderBy('id', 'desc')
    .execute();
  const scopes = await db
    .selectFrom('knowledge_scope_ids')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('knowledge_base_id'), ids))
    .select(['knowledge_base_id', 'scope_id'])
    .orderBy('scope_id')
    .execute();
  const channels = await db
    .selectFrom('knowledge_scope_channels')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('knowledge_base_id'), ids))
    .select(['knowledge_base_id', 'channel_type'])
    .orderBy('channel_type')
    .execute();
  return rows.map((row) => ({
    ...row,
    ids: scopes.filter((one) => one.knowledge_base_id === row.id).map((one) => one.scope_id),
    channels: channels.filter((one) => one.knowledge_base_id === row.id).map((one) => one.channel_type),
  }));
}

/** Returns an entry of an account, locked until the transaction ends. */
export function lockEntry(trx: CoreTransaction, { account_id, id }: EntryKey): Promise<KnowledgeBaseRow | undefined> {
  return trx
    .selectFrom('knowledge_bases')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function addEntry(trx: CoreTransaction, draft: Omit<KnowledgeBaseRow, 'id'>): Promise<number> {
  const id = await nextIds(trx, 'knowledge_bases');
  await trx
    .insertInto('knowledge_bases')
    .values({ ...draft, id })
    .execute();
  return id;
}

export async function changeEntry(
  trx: CoreTransaction,
  entry: EntryKey,
  columns: Partial<KnowledgeBaseRow>,
): Promise<void> {
  await trx
    .updateTable('knowledge_bases')
    .set(columns)
    .where('account_id', '=', entry.account_id)
    .where('id', '=', entry.id)
    .execute();
}

export async function setScopeIds(trx: CoreTransaction, entry: EntryKey, ids: readonly number[]): Promise<void> {
  const key = { account_id: entry.account_id, knowledge_base_id: entry.id };
  await trx.deleteFrom('knowledge_scope_ids').where(isOf(key)).execute();
  await insertMany(
    trx,
    'knowledge_scope_ids',
    [...new Set(ids)].map((scope_id) => ({ ...key, scope_id })),
  );
}

export async function setScopeChannels(
  trx: CoreTransaction,
  entry: EntryKey,
  channels: readonly string[],
): Promise<void> {
  const key = { account_id: entry.account_id, knowledge_base_id: entry.id };
  await trx.deleteFrom('knowledge_scope_channels').where(isOf(key)).execute();
  await insertMany(
    trx,
    'knowledge_scope_channels',
    [...new Set(channels)].map((channel_type) => ({ ...key, channel_type })),
  );
}

type Parts = 'knowledge_scope_ids' | 'knowledge_scope_channels' | 'knowledge_chunks';

/** Matches the rows that belong to an entry. */
function isOf(key: { account_id: AccountId; knowledge_base_id: number }) {
  return (where: ExpressionBuilder<CoreDatabase, Parts>) => where.and(key);
}

export async function dropEntry(trx: CoreTransaction, entry: EntryKey): Promise<void> {
  const key = { account_id: entry.account_id, knowledge_base_id: entry.id };
  for (const table of ['knowledge_scope_ids', 'knowledge_scope_channels', 'knowledge_chunks'] as const) {
    await trx.deleteFrom(table).where(isOf(key)).execute();
  }
  await trx
    .deleteFrom('knowledge_bases')
    .where('account_id', '=', entry.account_id)
    .where('id', '=', entry.id)
    .execute();
}

/** Returns the first entry whose text waits for processing, or whose worker's lease has ended. */
export function claimable(trx: CoreTransaction, now: Instant): Promise<KnowledgeBaseRow | undefined> {
  const query = trx
    .selectFrom('knowledge_bases')
    .where('process_status', 'in', ['waiting', 'processing'])
    .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', now)]))
    .selectAll()
    .orderBy('id')
    .limit(1);
  return forUpdateSkipLocked(query).executeTakeFirst();
}

export type ChunkDraft = Pick<KnowledgeChunkRow, 'sub_title' | 'text'>;

/** Adds chunks after the existing ones. */
export async function addChunks(
  trx: CoreTransaction,
  entry: EntryKey,
  chunks: readonly ChunkDraft[],
  position: number,
): Promise<void> {
  if (chunks.length === 0) return;
  const first = await nextIds(trx, 'knowledge_chunks', chunks.length);
  const key = { account_id: entry.account_id, knowledge_base_id: entry.id };
  const rows = chunks.map((chunk, index) => ({ ...key, position: position + index, id: first + index, ...chunk }));
  await insertMany(trx, 'knowledge_chunks', rows);
}

export async function dropChunks(trx: CoreTransaction, entry: EntryKey): Promise<void> {
  const key = { account_id: entry.account_id, knowledge_base_id: entry.id };
  await trx.deleteFrom('knowledge_chunks').where(isOf(key)).execute();
}
