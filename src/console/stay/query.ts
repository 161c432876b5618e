import { sql } from 'kysely';
import { addDaysWithin, type PlainDate } from '../../kernel/dates.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';

/** Rows of a list on the page. */
const MOST_ROWS = 100;
/** Days around a stay within which its tasks are looked for. */
const TASK_DAYS = 31;

interface Asked {
  connection: string;
  code: string;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

/** Reads one stay with its property; none if the person may not see it. */
export const findStay = preparedByArguments((db: MirrorDb, { connection, code, properties }: Asked) =>
  db
    .selectFrom('stays')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
    )
    .where('stays.connection', '=', connection)
    .where('stays.stay_code', '=', code)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties))
    .selectAll('stays')
    .select(['properties.name as property', 'properties.address as address']),
);

/** A stay as {@link findStay} reads it. */
export type Stay = Awaited<ReturnType<typeof findStay>>[number];

interface OfReservation {
  connection: string;
  reservation: string;
  properties?: readonly number[] | undefined;
}

const roomsOf = preparedByArguments((db: MirrorDb, { connection, reservation, properties }: OfReservation) =>
  db
    .selectFrom('stays')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
    )
    .where('stays.connection', '=', connection)
    .where('stays.reservation_code', '=', reservation)
    .where('stays.deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties))
    .select(['stays.stay_code', 'stays.status', 'stays.check_in_date', 'stays.check_out_date', 'stays.nights'])
    .select(['stays.number_of_guests', 'stays.in_reservation_box', 'properties.name as property'])
    .orderBy('stays.stay_code')
    .limit(MOST_ROWS),
);

const guestsOf = preparedByArguments((db: MirrorDb, { connection, code }: Omit<Asked, 'properties'>) =>
  db
    .selectFrom('guests')
    .where('connection', '=', connection)
    .where('stay_code', '=', code)
    .select(['guest_key', 'name', 'phone', 'email', 'id_type', 'gender', 'country', 'is_booker'])
    .select(sql<number>`case when id_number is not null or id_images is not null then 1 else 0 end`.as('has_identity'))
    .orderBy('guest_key')
    .limit(MOST_ROWS),
);

const entriesOf = preparedByArguments((db: MirrorDb, { connection, reservation }: Omit<OfReservation, 'properties'>) =>
  db
    .selectFrom('transactions')
    .where('connection', '=', connection)
    .where('reservation_code', '=', reservation)
    .where('deleted_at', 'is', null)
    .select(['id', 'direction', 'status', 'item_name', 'payment_method_name', 'amount_minor', 'currency'])
    .select(['action_date', 'operator_name'])
    .orderBy('action_at')
    .orderBy('id')
    .limit(MOST_ROWS),
);

interface TasksAsked {
  connection: string;
  code: string;
  first: PlainDate;
  last: PlainDate;
}

const tasksOf = preparedByArguments((db: MirrorDb, { connection, code, first, last }: TasksAsked) =>
  db
    .selectFrom('tasks')
    .where('connection', '=', connection)
    .where('stay_code', '=', code)
    .where('expected_date', '>=', first)
    .where('expected_date', '<=', last)
    .where('deleted_at', 'is', null)
    .select(['id', 'type', 'status', 'staff_name', 'expected_date', 'expected_time'])
    .orderBy('expected_date')
    .orderBy('id')
    .limit(MOST_ROWS),
);

const reviewsOf = preparedByArguments((db: MirrorDb, { connection, reservation }: Omit<OfReservation, 'properties'>) =>
  db
    .selectFrom('reviews')
    .where('connection', '=', connection)
    .where('reservation_code', '=', reservation)
    .where('deleted_at', 'is', null)
    .select(['review', 'guest_score_hundredths', 'host_reviewed_at', 'host_replied_at'])
    .orderBy('review')
    .limit(MOST_ROWS),
);

const wordsOf = preparedByArguments((db: MirrorDb, { connection, review }: { connection: string; review: string }) =>
  db
    .selectFrom('personal_values')
    .where('connection', '=', connection)
    .where('resource', '=', 'review')
    .where('row_key', '=', review)
    .select(['path', 'text']),
);

/** Lists the names of the tags that a reservation can have. */
const tagNames = preparedByArguments((db: MirrorDb, { connection }: { connection: string }) =>
  db
    .selectFrom('reservation_tags')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .select(['tag_name'])
    .orderBy('tag_name')
    .limit(MOST_ROWS),
);

/** Lists the entries of a dictionary of the ledger, such as `income_items`. */
export const dictionaryOf = preparedByArguments(
  (db: MirrorDb, { connection, dictionary }: { connection: string; dictionary: string }) =>
    db
      .selectFrom('dictionary_items')
      .where('connection', '=', connection)
      .where('dictionary', '=', dictionary)
      .where('deleted_at', 'is', null)
      .select(['id', 'name'])
      .orderBy('id'),
);

interface FreeAsked {
  connection: string;
  code: string;
  first: PlainDate;
  /** The day of leaving. */
  end: PlainDate;
  properties?: readonly number[] | undefined;
}

/** Lists the properties that are free for all nights of a stay, by name. */
const freeFor = preparedByArguments((db: MirrorDb, { connection, code, first, end, properties }: FreeAsked) =>
  db
    .selectFrom('properties')
    .where('properties.connection', '=', connection)
    .where('properties.deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('properties.id'), properties))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('stay_nights')
            .whereRef('stay_nights.connection', '=', 'properties.connection')
            .whereRef('stay_nights.property_id', '=', 'properties.id')
            .where('stay_nights.night', '>=', first)
            .where('stay_nights.night', '<', end)
            .where('stay_nights.stay_code', '<>', code)
            .where('stay_nights.status', 'in', [sql.lit('accepted'), sql.lit('wait_accept'), sql.lit('wait_pay')])
            .select(sql.lit(1).as('taken')),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('availability_days')
            .whereRef('availability_days.connection', '=', 'properties.connection')
            .whereRef('availability_days.property_id', '=', 'properties.id')
            .where('availability_days.date', '>=', first)
            .where('availability_days.date', '<', end)
            .where('availability_days.available', '=', 0)
            .select(sql.lit(1).as('closed')),
        ),
      ),
    )
    .select(['id', 'name'])
    .orderBy('name')
    .orderBy('id'),
);

/** A review, with the words of both sides. */
export interface Review {
  review: string;
  score: number | null;
  repliedAt: string | null;
  hostReviewedAt: string | null;
  words: Readonly<Record<string, string>>;
}

/** What stands around a stay on its page. */
export interface Around {
  guests: Awaited<ReturnType<typeof guestsOf>>;
  rooms: Awaited<ReturnType<typeof roomsOf>>;
  entries: Awaited<ReturnType<typeof entriesOf>>;
  tasks: Awaited<ReturnType<typeof tasksOf>>;
  reviews: Review[];
  /** Names of the tags that it could have. */
  tags: string[];
  /** Properties that are free for all its nights. */
  free: { id: number; name: string | null }[];
}

/** Reads what stands around a stay; guests with their names, which not everybody may see. */
export async function readAround(
  db: MirrorDb,
  { connection, stay, properties }: { connection: string; stay: Stay; properties?: readonly number[] | undefined },
): Promise<Around> {
  const { stay_code: code, reservation_code: reservation, check_in_date: first, check_out_date: end } = stay;
  const seen = properties && { properties };
  const dates =
    first === null || end === null
      ? undefined
      : { first: addDaysWithin(first, -TASK_DAYS), last: addDaysWithin(end, TASK_DAYS) };
  return {
    guests: await guestsOf(db, { connection, code }),
    rooms: await roomsOf(db, { connection, reservation, ...seen }),
    entries: await entriesOf(db, { connection, reservation }),
    tasks: dates ? await tasksOf(db, { connection, code, ...dates }) : [],
    reviews: await readReviews(db, { connection, reservation }),
    tags: (await tagNames(db, { connection })).flatMap(({ tag_name }) => (tag_name === null ? [] : [tag_name])),
    free: first === null || end === null ? [] : await freeFor(db, { connection, code, first, end, ...seen }),
  };
}

async function readReviews(db: MirrorDb, asked: { connection: string; reservation: string }): Promise<Review[]> {
  const reviews: Review[] = [];
  for (const row of await reviewsOf(db, asked)) {
    const words = await wordsOf(db, { connection: asked.connection, review: row.review });
    reviews.push({
      review: row.review,
      score: row.guest_score_hundredths,
      repliedAt: row.host_replied_at,
      hostReviewedAt: row.host_reviewed_at,
      words: Object.fromEntries(words.flatMap(({ path, text }) => (text === null ? [] : [[path, text]]))),
    });
  }
  return reviews;
}
