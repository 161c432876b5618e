import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { GUEST } from '../../contract/conversations.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import { kindOf } from '../../store/kind.ts';
import { inList } from '../../store/queries/inList.ts';
import { preparedByArguments, preparedKept } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorDb } from '../../sync/read/mirror.ts';
import type { Visit } from '../visit.ts';

/** Conversations of one page of the list. */
export const PAGE_ROWS = 30;
/** The badge of the navigation counts no further. */
export const MOST_COUNTED = 99;

/** What a list shows: what nobody has answered, what has a draft that waits, or everything. */
export const shows = ['unanswered', 'drafts', 'all'] as const;
export type Show = (typeof shows)[number];

/** One conversation as the list shows it. */
export interface Entry {
  conversation_id: string;
  channel_type: string | null;
  isUnanswered: boolean;
  last_at: Instant | null;
  last_text: string | null;
  isOurs: boolean;
  guest: string | null;
  properties: readonly string[];
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  drafts: number;
}

interface Seen {
  connection: string;
  /** Ids of the properties that the person sees; left out: all. */
  properties?: readonly number[] | undefined;
}

/** The part of the inbox that is asked for. */
export interface Listed extends Seen {
  /** Ids of the properties whose names the person may read, in a conversation about several; left out: all. */
  nameable?: readonly number[] | undefined;
  show: Show;
  /** A part of the guest's name. */
  named?: string | undefined;
  page: number;
}

/** Keeps the conversations about at least one of these properties; all without any. */
export function aboutProperties(
  db: MirrorDb,
  column: Expression<string | null>,
  properties: readonly number[] | undefined,
): Expression<SqlBool> {
  if (properties === undefined) return sql<SqlBool>`1 = 1`;
  return kindOf(db) === 'sqlite'
    ? sql<SqlBool>`exists (select 1 from json_each(${column}) as about where ${inList(sql.ref<number>('about.value'), properties)})`
    : sql<SqlBool>`exists (select 1 from jsonb_array_elements_text(${column}::jsonb) as about(id)
        where ${inList(sql<number>`about.id::bigint`, properties)})`;
}

/** The state of a plan that waits for a person's word before it writes to a guest. */
const WAITING = 'awaiting_approval';

interface Filters extends Seen {
  unanswered?: 1 | undefined;
  waiting?: typeof WAITING | undefined;
  /** As `like` has it. */
  named?: string | undefined;
  limit: number;
  offset: number;
}

const states = preparedByArguments((db: MirrorDb, arg: Filters) => {
  let query = db
    .selectFrom('conversation_states as state')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.connection', '=', 'state.connection')
        .onRef('conversations.conversation_id', '=', 'state.conversation_id'),
    )
    .where('state.connection', '=', arg.connection)
    .where((where) => aboutProperties(db, where.ref('conversations.property_ids'), arg.properties))
    .select(['state.conversation_id', 'state.unanswered', 'state.last_at', 'state.last_message', 'state.last_role'])
    .select(['conversations.channel_type', 'conversations.property_ids'])
    .select(['conversations.check_in_date', 'conversations.check_out_date'])
    .orderBy('state.unanswered', 'desc')
    .orderBy('state.last_at', 'desc')
    .orderBy('state.conversation_id', 'desc')
    .limit(arg.limit)
    .offset(arg.offset);
  if (arg.unanswered !== undefined) query = query.where('state.unanswered', '=', arg.unanswered);
  if (arg.waiting !== undefined) query = query.where('state.conversation_id', 'in', waitingIn(db, arg));
  return arg.named === undefined ? query : query.where((where) => where.exists(namesOf(where, arg.named)));
});

type Where = ExpressionBuilder<Mirror & { state: Mirror['conversation_states'] }, 'state'>;

/** Finds the conversations by the plans that wait, which are few. */
function waitingIn(db: MirrorDb, { connection, waiting = WAITING }: Filters) {
  return db
    .selectFrom('automation_plans as plan')
    .where('plan.connection', '=', connection)
    .where('plan.state', '=', waiting)
    .where('plan.conversation_id', 'is not', null)
    .select('plan.conversation_id')
    .$narrowType<{ conversation_id: string }>();
}

function namesOf(where: Where, named: string | undefined) {
  return where
    .selectFrom('personal_values as value')
    .whereRef('value.connection', '=', 'state.connection')
    .where('value.resource', '=', sql.lit('conversation'))
    .whereRef('value.row_key', '=', 'state.conversation_id')
    .where('value.path', '=', sql.lit('guest.name'))
    .where(sql<SqlBool>`lower(value.text) like ${named} escape '!'`)
    .select('value.path');
}

/** Reads one page of the list. What a guest wrote and nobody answered comes first, then the newest. */
export async function readEntries(
  db: MirrorDb,
  { connection, properties, nameable, show, named, page }: Listed,
): Promise<{ entries: Entry[]; hasMore: boolean }> {
  const rows = await states(db, {
    connection,
    properties: properties && [...properties],
    ...(show === 'unanswered' && { unanswered: 1 as const }),
    ...(show === 'drafts' && { waiting: WAITING }),
    ...(named !== undefined && { named: `%${named.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%` }),
    limit: PAGE_ROWS + 1,
    offset: (page - 1) * PAGE_ROWS,
  });
  const shown = rows.slice(0, PAGE_ROWS);
  const ids = shown.map(({ conversation_id }) => conversation_id);
  const names = await readValues(db, { connection, resource: 'conversation', paths: ['guest.name'], ids });
  const messages = shown.flatMap(({ last_message }) => last_message ?? []);
  const texts = await readValues(db, { connection, resource: 'message', paths: ['content'], ids: messages });
  const drafts = await countPlans(db, { connection, ids });
  const about = shown.flatMap((row) => idsIn(row.property_ids)).filter((id) => nameable?.includes(id) ?? true);
  const units = await propertyNames(db, { connection, ids: about });
  const nameOf = new Map(units.map(({ id, name }) => [id, name ?? `#${id}`]));
  const entries = shown.map(({ unanswered, last_at, last_message, last_role, property_ids, ...row }) => ({
    ...row,
    isUnanswered: Number(unanswered) === 1,
    last_at: last_at === '' ? null : last_at,
    last_text: texts.find(({ row_key }) => row_key === last_message)?.text ?? null,
    isOurs: last_role !== null && last_role !== GUEST,
    guest: names.find(({ row_key }) => row_key === row.conversation_id)?.text ?? null,
    properties: idsIn(property_ids).flatMap((id) => nameOf.get(id) ?? []),
    drafts: Number(drafts.find((one) => one.conversation_id === row.conversation_id)?.count ?? 0),
  }));
  return { entries, hasMore: rows.length > PAGE_ROWS };
}

/** Returns the numbers in a JSON list. */
export function idsIn(list: string | null): number[] {
  const values: unknown = list === null ? [] : JSON.parse(list);
  return Array.isArray(values) ? values.filter((value): value is number => typeof value === 'number') : [];
}

interface Values {
  connection: string;
  resource: string;
  paths: readonly string[];
  /** Keys of rows. */
  ids: readonly string[];
}

/** Reads the personal values at these paths of these rows. */
export const readValues = preparedByArguments((db: MirrorDb, { connection, resource, paths, ids }: Values) =>
  db
    .selectFrom('personal_values')
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where((where) => inList(where.ref('row_key'), ids))
    .where((where) => inList(where.ref('path'), paths))
    .select(['row_key', 'path', 'text', 'json']),
);

const countPlans = preparedByArguments((db: MirrorDb, { connection, ids }: { connection: string; ids: string[] }) =>
  db
    .selectFrom('automation_plans')
    .where('connection', '=', connection)
    .where((where) => inList(where.ref('conversation_id'), ids))
    .where('state', '=', sql.lit('awaiting_approval'))
    .select(({ fn }) => ['conversation_id', fn.countAll<number>().as('count')])
    .groupBy('conversation_id'),
);

const propertyNames = preparedByArguments((db: MirrorDb, { connection, ids }: { connection: string; ids: number[] }) =>
  db
    .selectFrom('properties')
    .where('connection', '=', connection)
    .where((where) => inList(where.ref('id'), ids))
    .select(['id', 'name']),
);

const unanswered = preparedKept((db: MirrorDb, { connection, properties }: Seen) => {
  const some = db
    .selectFrom('conversation_states as state')
    .where('state.connection', '=', connection)
    .where('state.unanswered', '=', sql.lit(1))
    .select('state.conversation_id')
    .limit(sql.lit(100));
  if (properties === undefined) return some;
  return some.where((where) =>
    where.exists(
      where
        .selectFrom('conversations')
        .whereRef('conversations.connection', '=', 'state.connection')
        .whereRef('conversations.conversation_id', '=', 'state.conversation_id')
        .where((about) => aboutProperties(db, about.ref('conversations.property_ids'), properties))
        .select('conversations.conversation_id'),
    ),
  );
});

/** Counts the conversations that nobody has answered, up to one more than {@link MOST_COUNTED}. */
export async function countUnanswered({ services, connection, person }: Visit): Promise<number> {
  const properties = person.properties ?? undefined;
  return (await unanswered(services.db, { connection, properties: properties && [...properties] })).length;
}

const planById = preparedByArguments((db: MirrorDb, { connection, plan }: { connection: string; plan: string }) =>
  db
    .selectFrom('automation_plans')
    .where('connection', '=', connection)
    .where('plan_id', '=', plan)
    .select('conversation_id'),
);

/** Returns the conversation that a plan writes to; undefined if it writes to none, or does not exist. */
export async function conversationOfPlan(
  db: MirrorDb,
  about: { connection: string; plan: string },
): Promise<string | undefined> {
  const [row] = await planById(db, about);
  return row?.conversation_id ?? undefined;
}
