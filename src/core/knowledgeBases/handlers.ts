import { instantOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import type { Change, Context, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { flag } from '../database.ts';
import { goneResource } from '../ownership.ts';
import { changedColumns } from '../reservations/changedColumns.ts';
import { presentEntry, presentWholeEntry } from './present.ts';
import { type ContentPart, entryLife, joined, titleOf } from './rules.ts';
import { channelScope, mayRead, placesOf, requireScope, requireWithin, visiblePlaces } from './scope.ts';
import {
  addEntry,
  changeEntry,
  dropEntry,
  entriesByIds,
  entryPage,
  lockEntry,
  type ScopedEntry,
  setScopeChannels,
  setScopeIds,
} from './table.ts';

export const listKnowledgeBases: Handler<'listKnowledgeBases'> = async (input, context) => {
  const { db, account } = context;
  const asked = input.property_ids?.split(',').map(Number);
  const page = pageOf('listKnowledgeBases', 'number', input, context);
  const found = await entryPage(db, {
    accountId: account.account_id,
    visible: await visiblePlaces(db, context),
    places: asked && (await placesOf(db, account.account_id, asked)),
    channelTypes: input.channel_types?.split(','),
    search: input.search,
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return { knowledge_bases: rows.map(presentEntry), total: found.total, ...next };
};

export const getKnowledgeBase: Handler<'getKnowledgeBase'> = async (input, context) => {
  const [entry] = await entriesByIds(context.db, context.account.account_id, [input.id]);
  if (!entry || !(await mayRead(context.db, context, entry))) throw goneResource();
  return presentWholeEntry(entry);
};

export const createKnowledgeBase: Handler<'createKnowledgeBase'> = (input, context) =>
  context.change(async (change) => {
    const { account_id } = change.account;
    const scope = await requireScope(change, context, input.scope_property);
    const channels = channelScope(input.scope_channel);
    const contents = input.contents ?? [{ text: input.content, sub_title: '' }];
    const now = instantOf(change.now);
    const id = await addEntry(change.trx, {
      account_id,
      title: input.title ?? titleOf(contents),
      contents: JSON.stringify(contents),
      scope_property: scope.type,
      scope_channel: channels.type,
      is_enable: flag(input.is_enable ?? true),
      process_status: next(entryLife, null, 'create'),
      revision: 1,
      attempts: 0,
      claimed_until: null,
      problem: null,
      created_at: now,
      updated_at: now,
    });
    await setScopeIds(change.trx, { account_id, id }, scope.ids);
    await setScopeChannels(change.trx, { account_id, id }, channels.channels);
    change.audit('createKnowledgeBase', String(id));
    return { id };
  });

export const updateKnowledgeBase: Handler<'updateKnowledgeBase'> = async (input, context) => {
  await context.change(async (change) => {
    const entry = await requireEntry(change, context, input.id);
    const columns = changedColumns(entry, {
      title: input.title,
      is_enable: input.is_enable === undefined ? undefined : flag(input.is_enable),
    });
    const changes = { ...columns, ...rewritten(entry, input) };
    const isOther =
      Object.keys(changes).length > 0 || input.scope_property !== undefined || input.scope_channel !== undefined;
    if (!isOther) return;
    await changeEntry(change.trx, entry, { ...changes, updated_at: instantOf(change.now) });
    if (input.scope_property !== undefined) {
      const scope = await requireScope(change, context, input.scope_property);
      await changeEntry(change.trx, entry, { scope_property: scope.type });
      await setScopeIds(change.trx, entry, scope.ids);
    }
    if (input.scope_channel !== undefined) {
      const { type, channels } = channelScope(input.scope_channel);
      await changeEntry(change.trx, entry, { scope_channel: type });
      await setScopeChannels(change.trx, entry, channels);
    }
    change.audit('updateKnowledgeBase', String(entry.id));
  });
};

export const deleteKnowledgeBase: Handler<'deleteKnowledgeBase'> = async (input, context) => {
  await context.change(async (change) => {
    const entry = await requireEntry(change, context, input.id);
    await dropEntry(change.trx, entry);
    change.audit('deleteKnowledgeBase', String(entry.id));
  });
};

/**
 * Returns an entry that the caller may change. @throws ApiError 404 when the caller cannot see it, 401 when it also
 * applies to other properties
 */
async function requireEntry({ trx, account }: Change, context: Context, id: number): Promise<ScopedEntry> {
  const key = { account_id: account.account_id, id };
  const [entry] = (await lockEntry(trx, key)) ? await entriesByIds(trx, key.account_id, [id]) : [];
  if (!entry || !(await mayRead(trx, context, entry))) throw goneResource();
  await requireWithin(trx, context, { type: entry.scope_property, ids: entry.ids });
  return entry;
}

/** Returns the columns of a changed text, which is processed again from the start. An equal text retains its state. */
function rewritten(
  entry: ScopedEntry,
  input: { content?: string | undefined; contents?: readonly ContentPart[] | undefined },
) {
  const before = JSON.parse(entry.contents) as ContentPart[];
  const asOne =
    input.content === undefined || input.content === joined(before)
      ? undefined
      : [{ text: input.content, sub_title: '' }];
  const contents = JSON.stringify(input.contents ?? asOne ?? before);
  if (contents === entry.contents) return {};
  return {
    contents,
    process_status: next(entryLife, entry.process_status, 'rewrite'),
    revision: entry.revision + 1,
    attempts: 0,
    claimed_until: null,
    problem: null,
  };
}
