import { sql } from 'kysely';
import type { PlainDate } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared, preparedByArguments } from '../../store/queries/prepared.ts';
import { guestsWith, searchedWords, textsWith } from '../../store/queries/searchWords.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';

/** Hits of one kind. */
export const MOST_HITS = 30;
/** Matches that are looked at, the newest: a short beginning has most of all. */
const MOST_MATCHES = 2_000;
/** As many, for those who see a part of them. */
const MOST_MATCHES_OF_SOME = 20_000;
const LONGEST_EXCERPT = 160;

/** What is searched, for whom. */
export interface SearchAsked {
  readonly connection: string;
  readonly question: string;
  /** Left out: all. */
  readonly properties?: readonly number[] | undefined;
  /** False leaves out names, addresses and texts. */
  readonly persons: boolean;
  readonly messages: boolean;
}

/** A stay that was found. */
export interface StayHit {
  readonly stay_code: string;
  readonly reservation_code: string;
  readonly channel_id: string | null;
  readonly guest: string | null;
  readonly property: string | null;
  readonly check_in_date: PlainDate | null;
  readonly check_out_date: PlainDate | null;
  readonly status: string | null;
}

/** A message that was found. */
export interface MessageHit {
  readonly conversation_id: string;
  readonly sent_at: string | null;
  readonly text: string;
}

/** All that was found. */
export interface Hits {
  readonly byCode: readonly StayHit[];
  readonly byGuest: readonly StayHit[];
  readonly properties: readonly { id: number; name: string | null }[];
  readonly messages: readonly MessageHit[];
}

/** Finds stays by their codes, guests, properties and messages. */
export async function readHits(db: MirrorDb, asked: SearchAsked): Promise<Hits> {
  const { connection, question, persons } = asked;
  const properties = asked.properties && [...asked.properties];
  const where = { connection, ...(properties && { properties }) };
  const words = searchedWords(question);
  const codes = [...new Set([question, question.toUpperCase(), question.toLowerCase()])];
  return {
    byCode: withoutGuests(await staysByCode(db, { ...where, codes }), persons),
    byGuest: persons && words.length > 0 ? await byGuests(db, { ...where, words }) : [],
    properties: await propertiesNamed(db, { ...where, pattern: `%${escaped(question.toLowerCase())}%` }),
    messages: asked.messages && words.length > 0 ? await byTexts(db, { ...where, words }) : [],
  };
}

function withoutGuests(hits: readonly StayHit[], persons: boolean): StayHit[] {
  return hits.map((hit) => (persons ? hit : { ...hit, guest: null }));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

interface Where {
  connection: string;
  properties?: readonly number[] | undefined;
}

function shown(db: MirrorDb, { connection, properties }: Where) {
  return db
    .selectFrom('stays')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
    )
    .leftJoin('guests', (join) =>
      join
        .onRef('guests.connection', '=', 'stays.connection')
        .onRef('guests.stay_code', '=', 'stays.stay_code')
        .on('guests.guest_key', '=', 'booker'),
    )
    .where('stays.connection', '=', connection)
    .where('stays.deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties))
    .select(['stays.stay_code', 'stays.reservation_code', 'stays.channel_id', 'guests.name as guest'])
    .select(['properties.name as property', 'stays.check_in_date', 'stays.check_out_date', 'stays.status'])
    .orderBy('stays.check_in_date', 'desc')
    .orderBy('stays.stay_code')
    .limit(MOST_HITS);
}

/** One query for each code, so that each is found by its own index. */
async function staysByCode(
  db: MirrorDb,
  { codes, ...where }: Where & { codes: readonly string[] },
): Promise<StayHit[]> {
  const found = new Map<string, StayHit>();
  for (const query of [byStayCode, byReservationCode, byChannelId]) {
    for (const hit of await query(db, { ...where, codes })) found.set(hit.stay_code, hit);
  }
  return [...found.values()].slice(0, MOST_HITS);
}

type Codes = Where & { codes: readonly string[] };

const byStayCode = preparedByArguments((db: MirrorDb, arg: Codes) =>
  shown(db, arg).where((where) => inList(where.ref('stays.stay_code'), arg.codes)),
);
const byReservationCode = preparedByArguments((db: MirrorDb, arg: Codes) =>
  shown(db, arg).where((where) => inList(where.ref('stays.reservation_code'), arg.codes)),
);
const byChannelId = preparedByArguments((db: MirrorDb, arg: Codes) =>
  shown(db, arg).where((where) => inList(where.ref('stays.channel_id'), arg.codes)),
);
const byKeys = preparedByArguments((db: MirrorDb, arg: Where & { keys: readonly string[] }) =>
  shown(db, arg).where((where) => inList(where.ref('stays.stay_code'), arg.keys)),
);

async function byGuests(db: MirrorDb, { words, ...where }: Where & { words: readonly string[] }): Promise<StayHit[]> {
  const searched = { connection: where.connection, words, limit: limitOf(where) };
  const { rows } = await sql<{ key: string }>`select key from ${guestsWith(db, searched)} as found`.execute(db);
  return rows.length === 0 ? [] : byKeys(db, { ...where, keys: [...new Set(rows.map(({ key }) => key))] });
}

function limitOf({ properties }: Where): number {
  return properties === undefined ? MOST_MATCHES : MOST_MATCHES_OF_SOME;
}

const propertiesNamed = preparedByArguments((db: MirrorDb, arg: Where & { pattern: string }) =>
  db
    .selectFrom('properties')
    .where('connection', '=', arg.connection)
    .where('deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('id'), arg.properties))
    .where(sql<boolean>`lower(name) like ${arg.pattern} escape '\\'`)
    .select(['id', 'name'])
    .orderBy('name')
    .orderBy('id')
    .limit(MOST_HITS),
);

async function byTexts(db: MirrorDb, { words, ...where }: Where & { words: readonly string[] }): Promise<MessageHit[]> {
  const { connection, properties } = where;
  const searched = { connection, words, limit: limitOf(where) };
  const { rows } = await sql<{ key: string }>`select key from ${textsWith(db, searched)} as found`.execute(db);
  if (rows.length === 0) return [];
  const found = await messagesOf(db, { connection, keys: rows.map(({ key }) => key) });
  return found
    .filter(({ property_ids }) => maySee(property_ids, properties))
    .slice(0, MOST_HITS)
    .map(({ property_ids: _, text, ...hit }) => ({ ...hit, text: excerpt(text ?? '', words) }));
}

const messagesOf = prepared((db: MirrorDb, arg: { connection: string; keys: readonly string[] }) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.connection', '=', 'messages.connection')
        .onRef('conversations.conversation_id', '=', 'messages.conversation_id'),
    )
    .innerJoin('personal_values', (join) =>
      join
        .onRef('personal_values.connection', '=', 'messages.connection')
        .onRef('personal_values.row_key', '=', 'messages.message')
        .on('personal_values.resource', '=', 'message')
        .on('personal_values.path', '=', 'content'),
    )
    .where('messages.connection', '=', arg.connection)
    .where((where) => inList(where.ref('messages.message'), arg.keys))
    .where('messages.deleted_at', 'is', null)
    .select(['messages.conversation_id', 'messages.sent_at', 'personal_values.text'])
    .select(sql<string | null>`conversations.property_ids`.as('property_ids'))
    .orderBy('messages.sent_at', 'desc')
    .limit(MOST_MATCHES_OF_SOME),
);

/** Returns true for a conversation about one of these properties. */
function maySee(propertyIds: string | null, properties: readonly number[] | undefined): boolean {
  if (properties === undefined) return true;
  const about: unknown = propertyIds === null ? [] : JSON.parse(propertyIds);
  return Array.isArray(about) && about.some((id) => properties.includes(Number(id)));
}

/** Returns the part of a text around the first word that was searched. */
function excerpt(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - LONGEST_EXCERPT / 4);
  const part = text.slice(start, start + LONGEST_EXCERPT).trim();
  return `${start > 0 ? '… ' : ''}${part}${start + LONGEST_EXCERPT < text.length ? ' …' : ''}`;
}
