import type { z } from 'zod';
import { CallError } from '../../client/callError.ts';
import type { Known } from '../../client/known.ts';
import type { knowledgeBaseDetail } from '../../contract/knowledgeBases.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import { bestOf } from './bestOf.ts';
import { searchedWords, soughtWords } from './sameThings.ts';

const PAGE = 100;
/** Most entries to search. Older ones are ignored. */
const MOST_ENTRIES = 300;
/** Greatest age of stored words for the search, in milliseconds. The entries behind a draft are always read again. */
const MOST_AGE_MS = 6 * 60 * 60_000;
const PIECE_CHARACTERS = 800;
/** Most searches for one question. Another one follows when entries that changed alter the result. */
const ROUNDS = 3;

/** A piece of the knowledge base, stored with the draft that it served. */
export interface Source {
  knowledge_base_id: number;
  title: string;
  sub_title: string;
  text: string;
}

interface KnowledgeQuestion {
  words: string;
  property_id: number;
  channel_type: string | null;
  most: number;
}

/** Upstream's knowledge base, opened for one draft or one dry run. */
export interface Knowledge {
  /** Returns the pieces that may answer, best first, as they are now. Throws CallError. */
  find(question: KnowledgeQuestion): Promise<Source[]>;
}

type Context = Pick<Automating, 'store' | 'connection' | 'client' | 'signal' | 'clock'>;

export function openKnowledge(context: Context): Knowledge {
  const { store, connection, clock } = context;
  /** Ids of the entries that were read again in this search. */
  const fresh = new Set<number>();
  const held = new Map<string, Promise<readonly number[]>>();

  async function readOnce(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      if (fresh.has(id)) continue;
      await readEntry(context, id);
      fresh.add(id);
    }
  }

  async function old(ids: readonly number[]): Promise<number[]> {
    const rows = await store.db
      .selectFrom('knowledge_readings')
      .select('knowledge_base_id')
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref('knowledge_base_id'), ids))
      .where('read_at', '>', instantOf(clock.now() - MOST_AGE_MS))
      .execute();
    const known = new Set(rows.map((row) => row.knowledge_base_id));
    return ids.filter((id) => !known.has(id));
  }

  return {
    async find({ words, property_id, channel_type, most }) {
      const sought = soughtWords(words);
      if (sought.length === 0) return [];
      const place = `${property_id} ${channel_type ?? ''}`;
      if (held.size === 0) await forgetGone(context);
      const holding = held.get(place) ?? entriesHolding(context, property_id, channel_type);
      held.set(place, holding);
      const ids = await holding;
      await readOnce(await old(ids));
      for (let round = 1; ; round += 1) {
        const found = await piecesMatching(context, ids, sought, most);
        const before = [...new Set(found.map((one) => one.knowledge_base_id))].filter((id) => !fresh.has(id));
        if (before.length === 0) return found;
        if (round === ROUNDS) return found.filter((one) => fresh.has(one.knowledge_base_id));
        await readOnce(before);
      }
    },
  };
}

/** Deletes the stored words of entries that upstream no longer has. */
async function forgetGone({ store, connection }: Context): Promise<void> {
  await store.transaction(async (trx) => {
    for (const table of ['knowledge_pieces', 'knowledge_readings'] as const) {
      await trx
        .deleteFrom(table)
        .where('connection', '=', connection)
        .where('knowledge_base_id', 'in', (eb) =>
          eb
            .selectFrom('knowledge_bases')
            .select('id')
            .where('connection', '=', connection)
            .where('deleted_at', 'is not', null),
        )
        .execute();
    }
  });
}

/** Returns the ids of entries that are enabled, processed, and valid for a property and a channel; newest first. */
async function entriesHolding(
  { client, signal }: Context,
  property_id: number,
  channel_type: string | null,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let offset = 0; offset < MOST_ENTRIES; offset += PAGE) {
    const where = { property_ids: String(property_id), ...(channel_type !== null && { channel_types: channel_type }) };
    const input = { ...where, offset, limit: PAGE };
    const { data } = await client.call('listKnowledgeBases', input, { purpose: 'reply', signal });
    const rows = data.knowledge_bases;
    ids.push(...rows.flatMap((one) => (one.is_enable && one.process_status === 'done' ? (one.id ?? []) : [])));
    if (rows.length < PAGE) break;
  }
  return ids;
}

/** Stores the words of an entry, or deletes them if the entry is gone. */
async function readEntry(context: Context, id: number): Promise<void> {
  const { client, signal, store, connection, clock } = context;
  const entry = await readOrNone();
  const parts = entry === undefined ? [] : partsOf(entry);
  await store.transaction(async (trx) => {
    const of = { connection, knowledge_base_id: id };
    await trx
      .deleteFrom('knowledge_pieces')
      .where('connection', '=', connection)
      .where('knowledge_base_id', '=', id)
      .execute();
    if (parts.length > 0) {
      const rows = parts.map((part, position) => ({ ...of, position, ...part }));
      await insertMany(trx, 'knowledge_pieces', rows);
    }
    const columns = ['connection', 'knowledge_base_id'] as const;
    const reading = { ...of, read_at: instantOf(clock.now()) };
    await insertMany(trx, 'knowledge_readings', [reading], { columns, update: ['read_at'] });
  });

  async function readOrNone() {
    try {
      return (await client.call('getKnowledgeBase', { id }, { purpose: 'reply', signal })).data;
    } catch (error) {
      if (error instanceof CallError && error.code === 404) return undefined;
      throw error;
    }
  }
}

type Entry = Pick<Known<z.output<typeof knowledgeBaseDetail>>, 'title' | 'content' | 'contents'>;

function partsOf({ title, content, contents }: Entry) {
  const parts = contents && contents.length > 0 ? contents : [{ text: content, sub_title: null }];
  const names = { title: title ?? '', sub_title: '' };
  return parts.flatMap(({ text, sub_title }) =>
    pieces(text ?? '').map((piece) => {
      const named = { ...names, sub_title: sub_title ?? '' };
      return { ...named, text: piece, words: searchedWords(`${named.title} ${named.sub_title} ${piece}`) };
    }),
  );
}

/** Cuts a text at line ends into pieces no longer than an answer needs. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let piece = '';
  for (const line of text.split('\n')) {
    for (let at = 0; at === 0 || at < line.length; at += PIECE_CHARACTERS) {
      const part = line.slice(at, at + PIECE_CHARACTERS);
      if (piece.length + part.length > PIECE_CHARACTERS) {
        found.push(piece);
        piece = '';
      }
      piece += `${part}\n`;
    }
  }
  return [...found, piece].map((one) => one.trim()).filter((one) => one !== '');
}

async function piecesMatching(
  { store, connection }: Context,
  ids: readonly number[],
  sought: readonly string[],
  most: number,
): Promise<Source[]> {
  const rows = await store.db
    .selectFrom('knowledge_pieces')
    .select(['knowledge_base_id', 'title', 'sub_title', 'text', 'words'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('knowledge_base_id'), ids))
    .orderBy('knowledge_base_id')
    .orderBy('position')
    .execute();
  return bestOf(rows, sought, most).map(({ words: _, ...source }) => source);
}
